/* Opens argv[1] for reading and prints its first line, or the reason why not; exit code 1 then. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (file == NULL) {
    printf("open: %s\n", strerror(errno));
    return 1;
  }
  char line[128];
  if (fgets(line, sizeof line, file) != NULL) printf("read: %s", line);
  return 0;
}
