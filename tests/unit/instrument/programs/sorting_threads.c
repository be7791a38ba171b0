// Four threads that allocate, sort through a function pointer and format numbers. The sum that is
// printed does not depend on which of them runs when.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 4, kRounds = 5, kNumbers = 1500 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static uint64_t total;

static int by_value(const void* left, const void* right) {
  const uint32_t a = *(const uint32_t*)left, b = *(const uint32_t*)right;
  return a < b ? -1 : a > b;
}

static void* sort_and_sum(void* argument) {
  uint32_t state = 2463534242u + (uint32_t)(uintptr_t)argument;
  uint64_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    uint32_t* numbers = malloc(kNumbers * sizeof *numbers);
    for (int i = 0; i < kNumbers; ++i) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      numbers[i] = state;
    }
    qsort(numbers, kNumbers, sizeof *numbers, by_value);
    for (int i = 0; i < kNumbers; ++i) {
      if (i > 0 && numbers[i - 1] > numbers[i]) abort();
      sum = sum * 1099511628211u ^ numbers[i];
    }
    char text[32];
    snprintf(text, sizeof text, "%llx", (unsigned long long)sum);
    sum += strlen(text);
    free(numbers);
  }
  pthread_mutex_lock(&guard);
  total += sum;
  pthread_mutex_unlock(&guard);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, sort_and_sum, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("%llx\n", (unsigned long long)total);
  return 0;
}
