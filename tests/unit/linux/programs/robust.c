// Robust mutexes: what is left of a lock whose owner ends without unlocking it.
#define _GNU_SOURCE
#include <pthread.h>

#include "facts.h"

enum { kMutexes = 3, kWaiters = 3 };

static pthread_mutex_t mutexes[kMutexes];
static pthread_barrier_t held;

/* Ends with all of them locked. */
static void* abandon(void* slow) {
  for (int i = 0; i < kMutexes; ++i) pthread_mutex_lock(&mutexes[i]);
  if (slow != NULL) {
    pthread_barrier_wait(&held);
    sleep_ms(20);
  }
  return NULL;
}
/* Waits for the first one before its owner ends. */
static void* inherit(void* unused) {
  (void)unused;
  pthread_barrier_wait(&held);
  const long result = pthread_mutex_lock(&mutexes[0]);
  if (result == EOWNERDEAD) pthread_mutex_consistent(&mutexes[0]);
  pthread_mutex_unlock(&mutexes[0]);
  return (void*)result;
}

static void make(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  for (int i = 0; i < kMutexes; ++i) {
    pthread_mutexattr_settype(&attributes, i == 1 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    answer("init", pthread_mutex_init(&mutexes[i], &attributes));
  }
}

int main(void) {
  make();
  finish(start(abandon, NULL));
  answer("lock", pthread_mutex_lock(&mutexes[0]));
  answer("consistent", pthread_mutex_consistent(&mutexes[0]));
  answer("unlock", pthread_mutex_unlock(&mutexes[0]));
  answer("lock again", pthread_mutex_lock(&mutexes[0]));
  answer("consistent when it is", pthread_mutex_consistent(&mutexes[0]));
  answer("unlock again", pthread_mutex_unlock(&mutexes[0]));

  answer("trylock", pthread_mutex_trylock(&mutexes[1]));
  answer("unlock without repair", pthread_mutex_unlock(&mutexes[1]));
  answer("lock of an unrepaired one", pthread_mutex_lock(&mutexes[1]));
  answer("destroy", pthread_mutex_destroy(&mutexes[1]));

  const struct timespec late = after(CLOCK_REALTIME, 60000);
  answer("timedlock", pthread_mutex_timedlock(&mutexes[2], &late));

  make();
  pthread_barrier_init(&held, NULL, kWaiters + 1);
  const pthread_t owner = start(abandon, &held);
  pthread_t waiters[kWaiters];
  for (int i = 0; i < kWaiters; ++i) waiters[i] = start(inherit, NULL);
  int told = 0, others = 0;
  for (int i = 0; i < kWaiters; ++i) {
    const long result = (long)finish(waiters[i]);
    told += result == EOWNERDEAD;
    others += result == 0;
  }
  finish(owner);
  printf("of %d waiters %d learned that the owner died, %d got a repaired mutex\n", kWaiters, told,
         others);
  return 0;
}
