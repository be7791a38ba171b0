// A switch some of whose cases gcc moves to a cold part of the function, with values in flight.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, cold, noreturn)) static void stop(const char* why, long at, long value) {
  printf("stop: %s at %ld with %ld\n", why, at, value);
  exit(3);
}

__attribute__((noinline)) static unsigned run(const unsigned char* code, long length,
                                              unsigned value) {
  for (long at = 0; at < length; ++at) {
    switch (code[at]) {
      case 0:
        value += 3;
        break;
      case 1:
        value ^= value << 7;
        break;
      case 2:
        if (length > 100000) value *= 3;
        stop("two", at, value);
      case 3:
        value = value >> 3 | value << 29;
        break;
      case 4:
        value += value >> 11;
        break;
      case 5:
        stop("five", at, value);
      case 6:
        value *= 2654435761u;
        break;
      case 7:
        value -= (unsigned)at;
        break;
      case 8:
        value ^= (unsigned)at * 77;
        break;
      default:
        value = ~value;
        break;
    }
  }
  return value;
}

int main(void) {
  static unsigned char code[1024];
  unsigned random = 12345;
  for (int i = 0; i < 1024; ++i) {
    random = random * 1103515245 + 12345;
    const unsigned char next = (random >> 16) % 11;
    code[i] = next == 2 || next == 5 ? 9 : next;
  }
  unsigned value = 1;
  for (int i = 0; i < 30; ++i) value = run(code, 1024 - i, value + (unsigned)i);
  printf("%08x\n", value);
  code[700] = 5;
  run(code, 1024, value);
  return 0;
}
