/* stdio on standard output and input, arguments, environment, exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void at_end(void) { puts("atexit ran"); }

int main(int argc, char** argv) {
  atexit(at_end);
  printf("argc %d\n", argc);
  for (int i = 1; i < argc; ++i) printf("argv[%d] = <%s>\n", i, argv[i]);
  const char* color = getenv("STROBE_COLOR");
  printf("STROBE_COLOR = %s\n", color != NULL ? color : "(none)");
  char line[100];
  int lines = 0;
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    printf("%d: %s\n", ++lines, line);
  }
  printf("%.17g %e %a %Lf %8.3f|%-8d|%+d|%#x|%s\n", 0.1, 12345.678, 1.0 / 3, 2.5L, -3.14159, 42, 7,
         255u, "end");
  printf("tty %d page %ld\n", isatty(1), sysconf(_SC_PAGESIZE));
  fprintf(stderr, "to standard error\n");
  return 7;
}
