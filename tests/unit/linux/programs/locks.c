// Each kind of lock of pthreads: what it refuses, when it gives up, and that it keeps threads
// apart.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "facts.h"

enum { kThreads = 4, kTurns = 1000 };

static pthread_mutex_t mutex;
static pthread_spinlock_t spin;
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t together;
static long counter, copy; /* plain variables: only a lock makes an update of them whole */
static int torn;           /* how often a reader saw them differ */

struct lock {
  const char* name;
  int kind, shared;
  int (*take)(void);
  int (*release)(void);
};

static int take_mutex(void) { return pthread_mutex_lock(&mutex); }
static int release_mutex(void) { return pthread_mutex_unlock(&mutex); }
static int take_twice(void) { return take_mutex() | take_mutex(); }
static int release_twice(void) { return release_mutex() | release_mutex(); }
static int try_until_taken(void) {
  int result;
  while ((result = pthread_mutex_trylock(&mutex)) == EBUSY) sched_yield();
  return result;
}
static int take_timed(void) {
  const struct timespec late = after(CLOCK_REALTIME, 60000);
  return pthread_mutex_timedlock(&mutex, &late);
}
static int take_spin(void) { return pthread_spin_lock(&spin); }
static int release_spin(void) { return pthread_spin_unlock(&spin); }
static int take_gate(void) { return pthread_rwlock_wrlock(&gate); }
static int release_gate(void) { return pthread_rwlock_unlock(&gate); }

static const struct lock locks[] = {
    {"normal", PTHREAD_MUTEX_NORMAL, 0, take_mutex, release_mutex},
    {"recursive", PTHREAD_MUTEX_RECURSIVE, 0, take_twice, release_twice},
    {"errorcheck", PTHREAD_MUTEX_ERRORCHECK, 0, take_mutex, release_mutex},
    {"adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, 0, take_mutex, release_mutex},
    {"process-shared", PTHREAD_MUTEX_NORMAL, 1, take_mutex, release_mutex},
    {"trylock", PTHREAD_MUTEX_NORMAL, 0, try_until_taken, release_mutex},
    {"timedlock", PTHREAD_MUTEX_NORMAL, 0, take_timed, release_mutex},
    {"spinlock", PTHREAD_MUTEX_NORMAL, 0, take_spin, release_spin},
    {"write lock", PTHREAD_MUTEX_NORMAL, 0, take_gate, release_gate},
};

static void make_mutex(int kind, int shared) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  if (shared) pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&mutex, &attributes);
}

/* Adds kTurns to the counter, and lets others run in the middle of some of the updates. */
static void* count(void* argument) {
  const struct lock* lock = argument;
  long errors = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    errors += lock->take() != 0;
    const long seen = counter;
    if (turn % 32 == 0) sched_yield();
    counter = seen + 1;
    errors += lock->release() != 0;
  }
  return (void*)errors;
}

static void* write_both(void* unused) {
  for (int turn = 0; turn < 300; ++turn) {
    pthread_rwlock_wrlock(&gate);
    ++counter;
    if (turn % 8 == 0) sched_yield();
    ++copy;
    pthread_rwlock_unlock(&gate);
  }
  return unused;
}
static void* read_both(void* unused) {
  for (int turn = 0; turn < 300; ++turn) {
    pthread_rwlock_rdlock(&gate);
    const long seen = counter;
    if (turn % 8 == 0) sched_yield();
    if (seen != copy) __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
    pthread_rwlock_unlock(&gate);
  }
  return unused;
}
/* Gets past the barrier only when all readers are inside at once. */
static void* read_together(void* unused) {
  pthread_rwlock_rdlock(&gate);
  pthread_barrier_wait(&together);
  pthread_rwlock_unlock(&gate);
  return unused;
}

/* What another thread is told about locks that this one holds. */
static void* try_mutex(void* unused) {
  answer("  another's trylock", pthread_mutex_trylock(&mutex));
  return unused;
}
static void* unlock_mutex(void* unused) {
  answer("  another's unlock", pthread_mutex_unlock(&mutex));
  return unused;
}
static void* try_gate(void* unused) {
  const int result = pthread_rwlock_tryrdlock(&gate);
  answer("  another's tryrdlock", result);
  if (result == 0) pthread_rwlock_unlock(&gate);
  answer("  another's trywrlock", pthread_rwlock_trywrlock(&gate));
  return unused;
}
static void* wait_in_vain(void* unused) {
  struct timespec soon = after(CLOCK_REALTIME, 20);
  answer("  timedlock", pthread_mutex_timedlock(&mutex, &soon));
  fact("  not too early", reached(CLOCK_REALTIME, soon));
  soon = after(CLOCK_MONOTONIC, 20);
  answer("  clocklock", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon));
  fact("  not too early", reached(CLOCK_MONOTONIC, soon));
  const struct timespec wrong = {0, 1000000000};
  answer("  timedlock until no time", pthread_mutex_timedlock(&mutex, &wrong));
  answer("  spin trylock", pthread_spin_trylock(&spin));
  soon = after(CLOCK_REALTIME, 20);
  answer("  timedwrlock", pthread_rwlock_timedwrlock(&gate, &soon));
  fact("  not too early", reached(CLOCK_REALTIME, soon));
  return unused;
}

static void exclusion(void) {
  for (size_t i = 0; i < sizeof locks / sizeof *locks; ++i) {
    make_mutex(locks[i].kind, locks[i].shared);
    pthread_t threads[kThreads];
    long errors = 0;
    counter = 0;
    for (int t = 0; t < kThreads; ++t) threads[t] = start(count, (void*)&locks[i]);
    for (int t = 0; t < kThreads; ++t) errors += (long)finish(threads[t]);
    printf("%s: counted %ld of %d, %ld errors\n", locks[i].name, counter, kThreads * kTurns,
           errors);
    answer("  destroy", pthread_mutex_destroy(&mutex));
  }
}

static void refusals(void) {
  puts("errorcheck");
  make_mutex(PTHREAD_MUTEX_ERRORCHECK, 0);
  answer("  unlock of a free one", pthread_mutex_unlock(&mutex));
  answer("  lock", pthread_mutex_lock(&mutex));
  answer("  lock again", pthread_mutex_lock(&mutex));
  answer("  trylock", pthread_mutex_trylock(&mutex));
  finish(start(try_mutex, NULL));
  finish(start(unlock_mutex, NULL));
  answer("  destroy while locked", pthread_mutex_destroy(&mutex));
  answer("  unlock", pthread_mutex_unlock(&mutex));

  puts("recursive");
  make_mutex(PTHREAD_MUTEX_RECURSIVE, 0);
  answer("  lock", pthread_mutex_lock(&mutex));
  answer("  trylock", pthread_mutex_trylock(&mutex));
  finish(start(unlock_mutex, NULL));
  answer("  unlock once", pthread_mutex_unlock(&mutex));
  finish(start(try_mutex, NULL));
  answer("  unlock twice", pthread_mutex_unlock(&mutex));
  answer("  unlock a third time", pthread_mutex_unlock(&mutex));
}

static void readers_and_writers(void) {
  puts("readers and writers");
  pthread_t threads[kThreads];
  pthread_barrier_init(&together, NULL, kThreads);
  for (int t = 0; t < kThreads; ++t) threads[t] = start(read_together, NULL);
  for (int t = 0; t < kThreads; ++t) finish(threads[t]);
  fact("  readers inside together", kThreads);
  counter = copy = 0;
  for (int t = 0; t < kThreads; ++t) threads[t] = start(t % 2 ? write_both : read_both, NULL);
  for (int t = 0; t < kThreads; ++t) finish(threads[t]);
  printf("  written %ld and %ld, seen torn %d\n", counter, copy, torn);
  answer("  read lock", pthread_rwlock_rdlock(&gate));
  finish(start(try_gate, NULL));
  answer("  unlock", pthread_rwlock_unlock(&gate));
  answer("  write lock", pthread_rwlock_wrlock(&gate));
  finish(start(try_gate, NULL));
  answer("  write lock again", pthread_rwlock_wrlock(&gate));
  answer("  unlock", pthread_rwlock_unlock(&gate));
}

static void patience(void) {
  puts("patience");
  make_mutex(PTHREAD_MUTEX_NORMAL, 0);
  pthread_mutex_lock(&mutex);
  pthread_spin_lock(&spin);
  pthread_rwlock_rdlock(&gate);
  finish(start(wait_in_vain, NULL));
  pthread_rwlock_unlock(&gate);
  pthread_spin_unlock(&spin);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  exclusion();
  refusals();
  readers_and_writers();
  patience();
  return 0;
}
