// Condition variables and semaphores: which threads wake, what they pass on, and when a wait gives
// up.
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include "facts.h"

enum { kWaiters = 4, kSize = 8, kProducers = 2, kConsumers = 3, kItems = 1200, kPlaces = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER, back = PTHREAD_COND_INITIALIZER;

/* ---- one token wakes one, a broadcast wakes all ---- */

static int tokens, served, waiting, open_door;

static void* take_token(void* unused) {
  pthread_mutex_lock(&mutex);
  ++waiting;
  pthread_cond_signal(&back);
  while (tokens == 0) pthread_cond_wait(&change, &mutex);
  --tokens, ++served, --waiting;
  pthread_cond_signal(&back);
  while (!open_door) pthread_cond_wait(&change, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void wake(void) {
  pthread_t threads[kWaiters];
  for (int i = 0; i < kWaiters; ++i) threads[i] = start(take_token, NULL);
  pthread_mutex_lock(&mutex);
  while (waiting < kWaiters) pthread_cond_wait(&back, &mutex);
  for (int given = 1; given < kWaiters; ++given) {
    ++tokens;
    pthread_cond_signal(&change);
    /* The signal may reach one that has its token and waits for the door: then all are woken. */
    struct timespec soon = after(CLOCK_REALTIME, 50);
    while (tokens != 0) {
      if (pthread_cond_timedwait(&back, &mutex, &soon) != ETIMEDOUT) continue;
      pthread_cond_broadcast(&change);
      soon = after(CLOCK_REALTIME, 50);
    }
    printf("%d tokens: %d served, %d waiting\n", given, served, waiting);
  }
  ++tokens;
  open_door = 1;
  pthread_cond_broadcast(&change);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < kWaiters; ++i) finish(threads[i]);
  printf("broadcast: %d served, %d waiting\n", served, waiting);
}

/* ---- a buffer with bounds ---- */

static struct {
  int items[kSize], first, used, most, made;
  pthread_cond_t filled, emptied;
} buffer = {.filled = PTHREAD_COND_INITIALIZER, .emptied = PTHREAD_COND_INITIALIZER};

static void put(int item) {
  pthread_mutex_lock(&mutex);
  while (buffer.used == kSize) pthread_cond_wait(&buffer.emptied, &mutex);
  buffer.items[(buffer.first + buffer.used++) % kSize] = item;
  if (buffer.used > buffer.most) buffer.most = buffer.used;
  pthread_cond_signal(&buffer.filled);
  pthread_mutex_unlock(&mutex);
}
static int get(void) {
  pthread_mutex_lock(&mutex);
  while (buffer.used == 0) pthread_cond_wait(&buffer.filled, &mutex);
  const int item = buffer.items[buffer.first];
  buffer.first = (buffer.first + 1) % kSize, --buffer.used;
  pthread_cond_signal(&buffer.emptied);
  pthread_mutex_unlock(&mutex);
  return item;
}

/* Items are numbers from 1 whose rest of the division by kProducers names the producer. */
static void* produce(void* which) {
  for (int i = 0; i < kItems; ++i) put(1 + i * kProducers + (int)(long)which);
  return NULL;
}
struct eaten {
  long sum, count, disorder;
};
static void* consume(void* argument) {
  struct eaten* eaten = argument;
  int last[kProducers] = {0};
  for (int item; (item = get()) != 0;) {
    const int producer = (item - 1) % kProducers;
    eaten->disorder += item <= last[producer];
    last[producer] = item;
    eaten->sum += item, ++eaten->count;
  }
  return NULL;
}

static void pass_on(void) {
  pthread_t producers[kProducers], consumers[kConsumers];
  struct eaten eaten[kConsumers] = {{0}}, all = {0};
  for (int i = 0; i < kConsumers; ++i) consumers[i] = start(consume, &eaten[i]);
  for (long i = 0; i < kProducers; ++i) producers[i] = start(produce, (void*)i);
  for (int i = 0; i < kProducers; ++i) finish(producers[i]);
  for (int i = 0; i < kConsumers; ++i) put(0);
  for (int i = 0; i < kConsumers; ++i) {
    finish(consumers[i]);
    all.sum += eaten[i].sum, all.count += eaten[i].count, all.disorder += eaten[i].disorder;
  }
  printf("%ld items with sum %ld, %ld out of order\n", all.count, all.sum, all.disorder);
  printf("never above its size %d, empty at the end %d\n", buffer.most <= kSize, buffer.used == 0);
}

/* ---- two threads take turns ---- */

static int turn, moves[2], wrong;

static void* play(void* argument) {
  const int me = (int)(long)argument;
  for (int i = 0; i < 500; ++i) {
    pthread_mutex_lock(&mutex);
    while (turn % 2 != me) pthread_cond_wait(me ? &change : &back, &mutex);
    wrong += moves[me] != turn / 2;
    ++moves[me], ++turn;
    pthread_cond_signal(me ? &back : &change);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

/* ---- waits that end by themselves ---- */

static void* try_mutex(void* unused) {
  answer("another's trylock", pthread_mutex_trylock(&mutex));
  return unused;
}

static void give_up(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_t never;
  pthread_cond_init(&never, &attributes);
  pthread_mutex_lock(&mutex);
  struct timespec soon = after(CLOCK_MONOTONIC, 20);
  int result;
  while ((result = pthread_cond_timedwait(&never, &mutex, &soon)) == 0) continue;
  answer("timedwait", result);
  fact("not too early", reached(CLOCK_MONOTONIC, soon));
  finish(start(try_mutex, NULL)); /* it has the mutex again */
  soon = after(CLOCK_REALTIME, -5);
  answer("timedwait until a time that is over", pthread_cond_timedwait(&change, &mutex, &soon));
  pthread_mutex_unlock(&mutex);
  answer("destroy", pthread_cond_destroy(&never));
}

/* ---- semaphores ---- */

static sem_t places, done;
static int inside, most_inside;

static void* visit(void* unused) {
  for (int i = 0; i < 100; ++i) {
    while (sem_wait(&places) != 0) continue;
    const int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    for (int most = __atomic_load_n(&most_inside, __ATOMIC_SEQ_CST); now > most;) {
      if (__atomic_compare_exchange_n(&most_inside, &most, now, 0, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST))
        break;
    }
    if (i % 4 == 0) sched_yield();
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    sem_post(&places);
  }
  sem_post(&done);
  return unused;
}

static void semaphores(void) {
  called("sem_init", sem_init(&places, 0, kPlaces));
  called("sem_init", sem_init(&done, 0, 0));
  called("sem_trywait", sem_trywait(&done));
  const struct timespec soon = after(CLOCK_REALTIME, 20);
  called("sem_timedwait", sem_timedwait(&done, &soon));
  fact("not too early", reached(CLOCK_REALTIME, soon));
  pthread_t threads[5];
  for (int i = 0; i < 5; ++i) threads[i] = start(visit, NULL);
  for (int i = 0; i < 5; ++i) called("sem_wait", sem_wait(&done));
  for (int i = 0; i < 5; ++i) finish(threads[i]);
  int value = -1;
  sem_getvalue(&places, &value);
  printf("at most %d inside %d, places left %d\n", kPlaces, most_inside <= kPlaces, value);
  sem_t full;
  called("sem_init", sem_init(&full, 1, SEM_VALUE_MAX));
  called("sem_post above the most", sem_post(&full));
  called("sem_init above the most", sem_init(&full, 0, SEM_VALUE_MAX + 1u));
}

int main(void) {
  wake();
  pass_on();
  const pthread_t first = start(play, (void*)0), second = start(play, (void*)1);
  finish(first), finish(second);
  printf("turns %d, moves %d and %d, wrong %d\n", turn, moves[0], moves[1], wrong);
  give_up();
  semaphores();
  return 0;
}
