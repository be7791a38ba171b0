// Barriers, functions that run once, and variables that each thread has for itself.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "facts.h"

enum { kThreads = 4, kPhases = 60, kRounds = 5 };

static pthread_barrier_t barrier;
static int phase_of[kThreads], serial, behind;

/* Enters each phase only when all have left the one before. */
static void* pass(void* argument) {
  const int me = (int)(long)argument;
  for (int phase = 1; phase <= kPhases; ++phase) {
    if ((phase + me) % 3 == 0) sched_yield();
    __atomic_store_n(&phase_of[me], phase, __ATOMIC_SEQ_CST);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
      __atomic_add_fetch(&serial, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < kThreads; ++i) {
      const int seen = __atomic_load_n(&phase_of[i], __ATOMIC_SEQ_CST);
      if (seen != phase && seen != phase + 1) __atomic_add_fetch(&behind, 1, __ATOMIC_SEQ_CST);
    }
  }
  return NULL;
}

static pthread_once_t controls[kRounds] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT,
                                           PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static int begun, ended, unfinished;

static void initialize(void) {
  ++begun;
  for (int i = 0; i < 3; ++i) sched_yield();
  ++ended;
}
static void* once(void* unused) {
  for (int round = 0; round < kRounds; ++round) {
    pthread_once(&controls[round], initialize);
    if (ended < round + 1) __atomic_add_fetch(&unfinished, 1, __ATOMIC_SEQ_CST);
    pthread_barrier_wait(&barrier);
  }
  return unused;
}

static __thread int own = 17;
static __thread char filled[300] = "starts like this";
static __thread struct { long long number; } aligned __attribute__((aligned(64)));
static pthread_key_t plain, stubborn, none;
static int freed, freed_sum, tries, foreign, initial_values;

static void free_value(void* value) {
  __atomic_add_fetch(&freed, 1, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&freed_sum, *(int*)value, __ATOMIC_SEQ_CST);
  free(value);
}
/* Sets its value again, so it is called again, up to the limit of the library. */
static void set_again(void* value) {
  __atomic_add_fetch(&tries, 1, __ATOMIC_SEQ_CST);
  pthread_setspecific(stubborn, value);
}
static void* keep_own(void* argument) {
  const int me = (int)(long)argument;
  const int fresh = own == 17 && strcmp(filled, "starts like this") == 0 && aligned.number == 0 &&
                    (unsigned long)&aligned % 64 == 0 && pthread_getspecific(plain) == NULL;
  __atomic_add_fetch(&initial_values, fresh, __ATOMIC_SEQ_CST);
  int* const value = malloc(sizeof *value);
  *value = me;
  pthread_setspecific(plain, value);
  if (me % 2 == 0) pthread_setspecific(stubborn, value);
  for (int i = 0; i < 50; ++i) {
    own = me * 100 + i;
    filled[i] = (char)('A' + me);
    sched_yield();
    if (own != me * 100 + i || filled[i] != 'A' + me || *(int*)pthread_getspecific(plain) != me)
      __atomic_add_fetch(&foreign, 1, __ATOMIC_SEQ_CST);
  }
  if (me == 1) pthread_exit(&initial_values);
  return value;
}

static void run_all(void* (*function)(void*)) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) threads[i] = start(function, (void*)i);
  for (int i = 0; i < kThreads; ++i) finish(threads[i]);
}

int main(void) {
  answer("barrier of none", pthread_barrier_init(&barrier, NULL, 0));
  answer("barrier", pthread_barrier_init(&barrier, NULL, kThreads));
  run_all(pass);
  printf("phases %d, serial threads %d, seen in a wrong phase %d\n", kPhases, serial, behind);

  run_all(once);
  printf("initialized %d times, finished %d, seen unfinished %d\n", begun, ended, unfinished);
  answer("destroy", pthread_barrier_destroy(&barrier));

  answer("key", pthread_key_create(&plain, free_value));
  answer("key", pthread_key_create(&stubborn, set_again));
  answer("key", pthread_key_create(&none, NULL));
  run_all(keep_own);
  printf("fresh in %d of %d threads, foreign values %d\n", initial_values, kThreads, foreign);
  printf("destructor ran %d times, sum %d\n", freed, freed_sum);
  printf("one that sets its value again ran %d times\n", tries);
  printf("of the main thread: %d, %s, %d\n", own, filled, pthread_getspecific(plain) == NULL);
  answer("delete", pthread_key_delete(none));
  answer("set after delete", pthread_setspecific(none, &own));
  return 0;
}
