// Writes its second argument to the file that its first argument names.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  FILE *file = fopen(argv[1], "w");
  if (file == NULL) {
    perror(argv[1]);
    return 1;
  }
  const size_t length = strlen(argv[2]);
  if (fwrite(argv[2], 1, length, file) != length || fclose(file) != 0) return 1;
  puts("planted");
  return 0;
}
