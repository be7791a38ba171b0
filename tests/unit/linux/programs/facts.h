// What the programs with threads print: one fact a line, none of which depends on the order in
// which threads run.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/** Prints a number, or whether something holds. */
static inline void fact(const char* what, long value) { printf("%s: %ld\n", what, value); }

/** Prints the error number that a function of pthreads returned, by name. */
static inline void answer(const char* what, int error) {
  printf("%s: %s\n", what, strerrorname_np(error));
}

/** Prints the result of a call that sets errno. */
static inline void called(const char* what, long result) {
  if (result == -1) {
    answer(what, errno);
  } else {
    fact(what, result);
  }
}

/** Starts a thread, or ends the program. */
static inline pthread_t start(void* (*function)(void*), void* argument) {
  pthread_t thread;
  const int error = pthread_create(&thread, NULL, function, argument);
  if (error != 0) answer("pthread_create", error), exit(1);
  return thread;
}

/** The result of a thread, which has ended when this returns. */
static inline void* finish(pthread_t thread) {
  void* result = NULL;
  const int error = pthread_join(thread, &result);
  if (error != 0) answer("pthread_join", error), exit(1);
  return result;
}

/** The time of a clock in milliseconds from now. */
static inline struct timespec after(clockid_t clock, long milliseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += milliseconds / 1000;
  time.tv_nsec += milliseconds % 1000 * 1000000;
  if (time.tv_nsec >= 1000000000) time.tv_nsec -= 1000000000, ++time.tv_sec;
  return time;
}

/** Whether a clock shows this time or a later one. */
static inline int reached(clockid_t clock, struct timespec time) {
  const struct timespec now = after(clock, 0);
  return now.tv_sec > time.tv_sec || (now.tv_sec == time.tv_sec && now.tv_nsec >= time.tv_nsec);
}

/** The setting of a timer that expires once. */
static inline struct itimerspec expires_in(long milliseconds) {
  return (struct itimerspec){{0, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000000}};
}
/** The setting of one that expires again and again. */
static inline struct itimerspec expires_every(long milliseconds) {
  const struct itimerspec time = expires_in(milliseconds);
  return (struct itimerspec){time.it_value, time.it_value};
}

static inline void sleep_ms(long milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  while (nanosleep(&time, &time) != 0 && errno == EINTR) continue;
}
