/* Works for a while, then does the one thing its argument names. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile uint64_t sink;

__attribute__((noinline)) void illegal(void) { __asm__ volatile(".word 0xffffffff"); }
__attribute__((noinline)) void load(void) { sink = *(volatile uint64_t*)0x5000; }
__attribute__((noinline)) void store(void) { *(volatile uint64_t*)0x5008 = 1; }
__attribute__((noinline)) void jump(void) { __asm__ volatile("jr zero"); }
__attribute__((noinline)) uint64_t overflow(uint64_t depth) {
  volatile uint64_t frame[512];
  for (int i = 0; i < 512; i += 64) frame[i] = depth;
  return overflow(depth + 1) + frame[0];
}

static void* overflow_there(void* argument) {
  sink = overflow((uint64_t)argument);
  return NULL;
}
__attribute__((noinline)) void thread_overflow(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, overflow_there, NULL);
  pthread_join(thread, NULL);
}

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both;
static void* lock(void* first) {
  pthread_mutex_lock(&locks[(uint64_t)first]);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&locks[1 - (uint64_t)first]);
  return NULL;
}
__attribute__((noinline)) void deadlock(void) {
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&thread, NULL, lock, (void*)1);
  lock((void*)0);
}
__attribute__((noinline)) void handler(void) {
  signal(SIGUSR1, (void (*)(int))0x5000);
  raise(SIGUSR1);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (uint64_t i = 0; i < 1000; ++i) sink += i;
  if (strcmp(argv[1], "illegal") == 0) illegal();
  if (strcmp(argv[1], "load") == 0) load();
  if (strcmp(argv[1], "store") == 0) store();
  if (strcmp(argv[1], "jump") == 0) jump();
  if (strcmp(argv[1], "overflow") == 0) sink = overflow(0);
  if (strcmp(argv[1], "thread_overflow") == 0) thread_overflow();
  if (strcmp(argv[1], "deadlock") == 0) deadlock();
  if (strcmp(argv[1], "handler") == 0) handler();
  return 0;
}
