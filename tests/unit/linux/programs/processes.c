// Ways to start another process, one for each argument.
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int __attribute__((noinline)) start(const char* way) {
  char* const nothing[] = {NULL};
  pid_t pid = 0;
  if (strcmp(way, "fork") == 0) return fork();
  if (strcmp(way, "vfork") == 0) return vfork();
  if (strcmp(way, "exec") == 0) return execv("/bin/true", nothing);
  if (strcmp(way, "spawn") == 0) return posix_spawn(&pid, "/bin/true", NULL, NULL, nothing, nothing);
  if (strcmp(way, "system") == 0) return system("true");
  if (strcmp(way, "popen") == 0) return popen("true", "r") == NULL;
  return wait(NULL) == -1 ? 10 : 0;  // ECHILD
}

int main(int argc, char** argv) { return start(argc > 1 ? argv[1] : "wait") + 1; }
