// How threads end: joined, detached, canceled, with their cleanup handlers, in any place where
// they wait.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include "facts.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t ready, blocked;
static int ends[2];
static volatile long spins;

/* ---- join and detach ---- */

static void* identity(void* argument) { return argument; }
static void* wait_for_semaphore(void* unused) {
  while (sem_wait(&blocked) != 0) continue;
  return unused;
}
static void* leave_early(void* unused) {
  pthread_exit((void*)23);
  return unused;
}
static void* tell_when_detached(void* unused) {
  pthread_detach(pthread_self());
  sem_post(&ready);
  return unused;
}
static void* chain(void* argument) {
  const long depth = (long)argument;
  if (depth == 0) return 0;
  return (void*)(depth + (long)finish(start(chain, (void*)(depth - 1))));
}

static void joined(void) {
  void* result = NULL;
  fact("returned", (long)finish(start(identity, (void*)42)));
  fact("pthread_exit", (long)finish(start(leave_early, NULL)));
  answer("join of itself", pthread_join(pthread_self(), NULL));
  const pthread_t waits = start(wait_for_semaphore, (void*)7);
  answer("tryjoin", pthread_tryjoin_np(waits, &result));
  const struct timespec soon = after(CLOCK_REALTIME, 20);
  answer("timedjoin", pthread_timedjoin_np(waits, &result, &soon));
  fact("not too early", reached(CLOCK_REALTIME, soon));
  sem_post(&blocked);
  answer("join", pthread_join(waits, &result));
  fact("result", (long)result);
  fact("a chain of threads", (long)finish(start(chain, (void*)10)));
  long sum = 0;
  for (long i = 0; i < 150; ++i)
    sum += (long)finish(start(identity, (void*)i)); /* stacks are used again */
  fact("150 threads in succession", sum);
  pthread_t many[32];
  for (long i = 0; i < 32; ++i) many[i] = start(identity, (void*)i);
  for (long i = 31; i >= 0; --i) sum += (long)finish(many[i]);
  fact("and 32 at once", sum);
}

static void detached(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  for (int i = 0; i < 20; ++i) {
    if (i % 2) {
      start(tell_when_detached, NULL);
    } else {
      answer("create", pthread_create(&thread, &attributes, tell_when_detached, NULL));
    }
    while (sem_wait(&ready) != 0) continue;
  }
  fact("detached threads that ran", 20);
}

/* ---- cancellation ---- */

static int order[8], entries;

static void note(void* number) { order[entries++] = (int)(long)number; }
static void unlock(void* unused) {
  (void)unused;
  note((void*)(long)(100 + pthread_mutex_unlock(&mutex))); /* 0: the thread owned it */
}

static void* canceled_in_condition(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(note, (void*)1);
  pthread_cleanup_push(unlock, NULL);
  pthread_cleanup_push(note, (void*)3);
  pthread_cleanup_push(note, (void*)4);
  pthread_cleanup_pop(1);
  sem_post(&ready);
  while (1) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}
static void* canceled_in_sleep(void* unused) {
  sem_post(&ready);
  while (1) sleep(1000);
  return unused;
}
static void* canceled_in_pause(void* unused) {
  sem_post(&ready);
  while (1) pause();
  return unused;
}
static void* canceled_in_read(void* unused) {
  char byte;
  sem_post(&ready);
  while (1) called("read", read(ends[0], &byte, 1));
  return unused;
}
static void* canceled_in_semaphore(void* unused) {
  sem_post(&ready);
  while (1) sem_wait(&blocked);
  return unused;
}
static void* canceled_in_join(void* thread) {
  sem_post(&ready);
  pthread_join(*(pthread_t*)thread, NULL);
  return NULL;
}
static void* canceled_at_test(void* unused) {
  sem_post(&ready);
  while (1) {
    ++spins;
    pthread_testcancel();
    sched_yield();
  }
  return unused;
}
/* Has no place where it looks for the request: it is interrupted. */
static void* canceled_anywhere(void* unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(&ready);
  while (1) ++spins;
  return unused;
}
/* Ends by itself, because it asked not to be disturbed. */
static void* not_canceled(void* unused) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  sem_post(&ready);
  while (sem_wait(&blocked) != 0) continue;
  pthread_testcancel();
  return unused;
}
static void* canceled_late(void* unused) {
  not_canceled(NULL);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  pthread_testcancel();
  return unused;
}

static void cancel(const char* where, void* (*function)(void*), void* argument) {
  const pthread_t thread = start(function, argument);
  while (sem_wait(&ready) != 0) continue;
  answer(where, pthread_cancel(thread));
  fact("  canceled", finish(thread) == PTHREAD_CANCELED);
}

static void canceled(void) {
  cancel("in pthread_cond_wait", canceled_in_condition, NULL);
  for (int i = 0; i < entries; ++i) fact("  cleanup", order[i]);
  cancel("in sleep", canceled_in_sleep, NULL);
  cancel("in pause", canceled_in_pause, NULL);
  cancel("in read", canceled_in_read, NULL);
  cancel("in sem_wait", canceled_in_semaphore, NULL);
  pthread_t other = start(wait_for_semaphore, NULL);
  cancel("in pthread_join", canceled_in_join, &other);
  sem_post(&blocked);
  finish(other);
  cancel("at pthread_testcancel", canceled_at_test, NULL);
  cancel("anywhere", canceled_anywhere, NULL);

  pthread_t undisturbed = start(not_canceled, (void*)5);
  while (sem_wait(&ready) != 0) continue;
  answer("while disabled", pthread_cancel(undisturbed));
  sem_post(&blocked);
  fact("  result", (long)finish(undisturbed));
  undisturbed = start(canceled_late, (void*)5);
  while (sem_wait(&ready) != 0) continue;
  answer("until enabled", pthread_cancel(undisturbed));
  sem_post(&blocked);
  fact("  canceled", finish(undisturbed) == PTHREAD_CANCELED);
}

static void* outlive(void* main_thread) {
  finish(*(pthread_t*)main_thread);
  puts("the main thread has ended");
  return NULL;
}

int main(void) {
  static pthread_t self;
  sem_init(&ready, 0, 0);
  sem_init(&blocked, 0, 0);
  if (pipe(ends) != 0) return 1;
  joined();
  detached();
  canceled();
  self = pthread_self();
  start(outlive, &self);
  pthread_exit(NULL);
}
