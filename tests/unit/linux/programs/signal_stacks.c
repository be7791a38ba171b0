// Frames of handlers that have no room, in the way that the first argument says.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char area[1 << 16] __attribute__((aligned(4096)));

static void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, NULL);
}
static void say(const char* text) { write(1, text, strlen(text)); }
static void end_well(int signal) {
  say(signal == SIGSEGV ? "a segmentation fault\n" : "another signal\n");
  _exit(5);
}
static void use_stack(size_t size) {
  const stack_t stack = {.ss_sp = area + 0x8000, .ss_size = size};
  if (sigaltstack(&stack, NULL) != 0) say("no such stack\n");
}
static void (*code_that_faults(void))(int) {
  void* const code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(code, 0, 4096);
  __asm__ volatile("fence.i" ::: "memory");
  return (void (*)(int))code;
}
/* Sends the process a signal while the stack pointer is `sp`. */
static void send_with_stack(long signal, char* sp) {
  register long a0 __asm__("a0") = getpid(), a1 __asm__("a1") = signal, a7 __asm__("a7") = 129;
  __asm__ volatile("mv s1, sp\n mv sp, %1\n ecall\n mv sp, s1\n"
                   : "+r"(a0)
                   : "r"(sp), "r"(a1), "r"(a7)
                   : "s1", "memory");
}
static char* end_of_memory(void) {
  char* const pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages, 4096, PROT_NONE);
  return pages + 4096 + 64;
}

int main(int count, char** words) {
  const char* const way = count > 1 ? words[1] : "";
  say("begins\n");
  if (strcmp(way, "small") == 0) {
    use_stack(2048);
    void (*const code)(int) = code_that_faults();
    handle(SIGILL, code, SA_ONSTACK | SA_NODEFER);
    code(0);
  } else if (strcmp(way, "small_with_handler") == 0) {
    /* The handler of SIGSEGV would be on the full stack, too. */
    use_stack(2048);
    void (*const code)(int) = code_that_faults();
    handle(SIGSEGV, end_well, SA_ONSTACK);
    handle(SIGILL, code, SA_ONSTACK | SA_NODEFER);
    code(0);
  } else if (strcmp(way, "stack_ends") == 0) {
    handle(SIGUSR1, end_well, 0);
    send_with_stack(SIGUSR1, end_of_memory());
  } else if (strcmp(way, "handled") == 0) {
    use_stack(8192);
    handle(SIGSEGV, end_well, SA_ONSTACK);
    handle(SIGUSR1, end_well, 0);
    send_with_stack(SIGUSR1, end_of_memory());
  }
  say("goes on\n");
  return 0;
}
