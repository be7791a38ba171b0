// Faults and their handlers: what a handler is told, how it goes on, and that nothing else changes.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "facts.h"

enum { kPage = 4096, kPages = 16 };

static sigjmp_buf back;
static volatile sig_atomic_t entered, code, on_alternate;
static uintptr_t volatile address, counter;
static char* pages;
static char alternate[64 << 10];

static void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  if (sigaction(signal, &action, NULL) != 0) answer("sigaction", errno);
}
static void remember(siginfo_t* info, void* context) {
  ++entered;
  code = info->si_code;
  address = (uintptr_t)info->si_addr;
  counter = ((ucontext_t*)context)->uc_mcontext.__gregs[REG_PC];
}
static void leave(int signal, siginfo_t* info, void* context) {
  remember(info, context);
  siglongjmp(back, signal);
}

static void tell(const char* what, int signal, uintptr_t expected) {
  printf("%s: %s, code %d, address as expected %d\n", what, sigabbrev_np(signal), code,
         address == expected);
}

/* ---- jumping out ---- */

typedef int function(void);

static void load(const char* what, uintptr_t from) {
  const int signal = sigsetjmp(back, 1);
  if (signal == 0) fact(what, *(volatile char*)from);
  if (signal != 0) tell(what, signal, from);
}
static void store(const char* what, uintptr_t to) {
  const int signal = sigsetjmp(back, 1);
  if (signal == 0) *(volatile char*)to = 1, fact(what, *(volatile char*)to);
  if (signal != 0) tell(what, signal, to);
}
static void call(const char* what, uintptr_t target) {
  const int signal = sigsetjmp(back, 1);
  if (signal == 0) fact(what, ((function*)target)());
  if (signal != 0) tell(what, signal, target), fact("  pc there", counter == target);
}

static void escapes(void) {
  handle(SIGSEGV, leave, 0);
  handle(SIGILL, leave, 0);
  const uintptr_t page = (uintptr_t)pages;
  load("load from null", 0);
  store("store near null", 40);
  load("load from a mapped page", page + 5);
  mprotect(pages, kPage, PROT_NONE);
  load("load from PROT_NONE", page + 17);
  mprotect(pages, kPage, PROT_READ);
  load("load from PROT_READ", page + 5);
  store("store to PROT_READ", page + 18);
  mprotect(pages, kPage, PROT_READ | PROT_WRITE);
  store("store to PROT_WRITE", page + 18);
  store("store to the program", (uintptr_t)(void*)escapes);
  load("load far away", (uintptr_t)1 << 37);
  munmap(pages + 15 * kPage, kPage);
  load("load from an unmapped page", page + 15 * kPage + 9);
  call("call null", 0);
  call("call data", page + kPage);
  /* li a0, 9; ret */
  const uint16_t code_words[] = {0x4525, 0x8082};
  memcpy(pages + kPage, code_words, sizeof code_words);
  mprotect(pages + kPage, kPage, PROT_READ | PROT_EXEC);
  __builtin___clear_cache(pages + kPage, pages + 2 * kPage);
  call("call code", page + kPage);
  store("store to code", page + kPage);
  call("call zeros", page + kPage + 64);
  fact("entered", entered);
}

/* System calls return an error where the program would fault. */
static void bad_pointers(void) {
  char* volatile nowhere = (char*)8;
  int ends[2];
  entered = 0;
  called("pipe", pipe(ends));
  called("write from nowhere", write(ends[1], nowhere, 4));
  called("pipe to nowhere", pipe((int*)nowhere));
  called("write", write(ends[1], "word", 4));
  called("read to nowhere", read(ends[0], nowhere, 4));
  mprotect(pages, kPage, PROT_READ);
  called("read to a read-only page", read(ends[0], pages, 4));
  mprotect(pages, kPage, PROT_READ | PROT_WRITE);
  fact("entered", entered);
}

/* ---- going on ---- */

static void skip(int signal, siginfo_t* info, void* context) {
  mcontext_t* registers = &((ucontext_t*)context)->uc_mcontext;
  remember(info, context);
  registers->__gregs[REG_PC] += signal == SIGTRAP && *(uint16_t*)counter == 0x9002 ? 2 : 4;
  registers->__gregs[REG_A0] = (unsigned long)(1000 + signal);
}

static long illegal(void) {
  register long result __asm__("a0") = 1;
  __asm__ volatile(".option push\n.option norvc\n.word 0\n.option pop" : "+r"(result)::"memory");
  return result;
}
static long illegal_word(void) {
  register long result __asm__("a0") = 1;
  __asm__ volatile(".word 0xffffffff" : "+r"(result)::"memory");
  return result;
}
static long breakpoint(void) {
  register long result __asm__("a0") = 1;
  __asm__ volatile(".option push\n.option norvc\nebreak\n.option pop" : "+r"(result)::"memory");
  return result;
}
static long short_breakpoint(void) {
  register long result __asm__("a0") = 1;
  __asm__ volatile("c.ebreak" : "+r"(result)::"memory");
  return result;
}
static long privileged(void) {
  register long result __asm__("a0") = 1;
  __asm__ volatile(".option push\n.option norvc\ncsrr a0, mstatus\n.option pop"
                   : "+r"(result)::"memory");
  return result;
}
static long load_from(uintptr_t from) {
  register uintptr_t result __asm__("a0") = from;
  __asm__ volatile(".option push\n.option norvc\nld a0, 0(a0)\n.option pop"
                   : "+r"(result)::"memory");
  return (long)result;
}

static void skipped(const char* what, long result) {
  printf("%s: result %ld, code %d, address is the pc %d\n", what, result, code, address == counter);
}

static void goes_on(void) {
  handle(SIGILL, skip, 0);
  handle(SIGTRAP, skip, 0);
  handle(SIGSEGV, skip, 0);
  double sum = 0.25;
  entered = 0;
  skipped("illegal", illegal());
  skipped("illegal word", illegal_word());
  skipped("breakpoint", breakpoint());
  skipped("short breakpoint", short_breakpoint());
  skipped("machine register", privileged());
  skipped("load", load_from(80));
  fact("address", (long)address);
  for (int i = 0; i < 100; ++i) sum += (double)(load_from((uintptr_t)i * 8) == 1000 + SIGSEGV) / 4;
  printf("entered %d, sum %.2f\n", entered, sum);
  const long volatile zero = 0;
  fact("a division by zero is none", 7 / zero);
  handle(SIGFPE, skip, 0);
  entered = 0;
  fact("raise", raise(SIGFPE));
  fact("entered", entered);
}

/* ---- a write barrier, as garbage collectors have it ---- */

static char dirty[kPages];

static void make_writable(int signal, siginfo_t* info, void* context) {
  (void)signal;
  remember(info, context);
  const uintptr_t page = ((uintptr_t)info->si_addr - (uintptr_t)pages) / kPage;
  if (page >= kPages) _exit(9);
  ++dirty[page];
  mprotect(pages + page * kPage, kPage, PROT_READ | PROT_WRITE);
}

static void barrier(void) {
  handle(SIGSEGV, make_writable, 0);
  pages = mmap(NULL, kPages * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  entered = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2000; ++i) {
      const int at = (i * 7919) % (kPages * kPage / 4);
      if (at * 4 / kPage % 3 != 1) ((int*)pages)[at] += at;
    }
    if (round == 1) mprotect(pages, kPages * kPage, PROT_READ);
  }
  long sum = 0;
  for (int i = 0; i < kPages * kPage / 4; ++i) sum += ((int*)pages)[i];
  printf("write barrier: entered %d, sum %ld, written", entered, sum);
  for (int i = 0; i < kPages; ++i) printf(" %d", dirty[i]);
  puts("");
}

/* ---- stacks without room ---- */

static int volatile deepest;
static int recurse(int depth);
static int (*volatile again)(int) = recurse;

static int recurse(int depth) {
  volatile char frame[2000];
  frame[depth % 2000] = (char)depth;
  deepest = depth;
  return again(depth + 1) + frame[depth % 2000];
}
static void overflow(int signal, siginfo_t* info, void* context) {
  char here;
  remember(info, context);
  on_alternate = &here >= alternate && &here < alternate + sizeof alternate;
  siglongjmp(back, signal);
}
static void overflow_once(const char* what, int least) {
  const int signal = sigsetjmp(back, 1);
  if (signal == 0) recurse(0);
  printf("%s: %s, on the alternate stack %d, deep %d\n", what, sigabbrev_np(signal), on_alternate,
         deepest > least);
}
static void* overflow_in_thread(void* unused) {
  const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  overflow_once("stack of a thread", 20);
  fact("  code", code);
  return unused;
}

static void stacks(void) {
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  handle(SIGSEGV, overflow, SA_ONSTACK);
  overflow_once("main stack", 2000);
  overflow_once("main stack again", 2000);
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, NULL);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 128 << 10);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, overflow_in_thread, NULL) != 0) return;
  finish(thread);
}

/* ---- each thread has its own faults ---- */

static __thread sigjmp_buf own_back;
static __thread long own_faults;

static void count(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  own_faults += (long)info->si_addr;
  siglongjmp(own_back, 1);
}
static void* fault_often(void* argument) {
  for (volatile long i = 0; i < 200; ++i)
    if (sigsetjmp(own_back, 1) == 0) *(volatile char*)(8 * (long)argument) = 1;
  return (void*)own_faults;
}

int main(void) {
  pages = mmap(NULL, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 1;
  escapes();
  bad_pointers();
  goes_on();
  barrier();
  stacks();
  handle(SIGSEGV, count, 0);
  pthread_t threads[4];
  for (long i = 0; i < 4; ++i) threads[i] = start(fault_often, (void*)(i + 1));
  for (int i = 0; i < 4; ++i) fact("sum of the addresses of faults", (long)finish(threads[i]));
  return 0;
}
