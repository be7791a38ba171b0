/* Replaces what is in argv[1], which it may write, and prints that it did. */
#include <stdio.h>

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "r+") : NULL;
  if (file == NULL) return 1;
  for (int i = 0; i < 100000; ++i) fputs("other", file);
  if (fclose(file) != 0) return 1;
  puts("overwritten");
  return 0;
}
