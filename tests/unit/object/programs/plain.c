// A program whose control flow is as varied as C allows: switch tables, computed goto, recursion,
// static functions, calls through pointers, setjmp.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))

static NOINLINE int by_table(int which, int value) {
  switch (which) {
    case 0:
      return value * 3;
    case 1:
      return value - 17;
    case 2:
      return value ^ 0x55;
    case 3:
      printf("three\n");
      return value;
    case 4:
      return value % 13;
    case 5:
      value += 9;
      // Falls into the next case.
    case 6:
      return value * value;
    case 7:
      return -value;
    case 8:
      return value << 3;
    case 9:
      return value / 5;
    default:
      return 1;
  }
}

// Two tables in one function.
NOINLINE int by_two_tables(int a, int b) {
  int result = by_table(a, b);
  switch (a) {
    case 10:
      result += by_table(1, b);
      break;
    case 11:
      result ^= 0x1234;
      break;
    case 12:
      result = printf("twelve %d\n", b);
      break;
    case 13:
      result *= 7;
      break;
    case 14:
      result -= by_table(6, a);
      break;
    case 15:
      result = abs(result);
      break;
    case 16:
      result += 100;
      break;
    default:
      result--;
  }
  return result;
}

// An interpreter: 0 ends, 1 adds, 2 multiplies, 3 goes back while the counter is not 0.
NOINLINE long interpret(const unsigned char* program, long counter) {
  static const void* const operations[] = {&&end, &&add, &&multiply, &&loop};
  const unsigned char* at = program;
  long value = 1;
  goto* operations[*at++];
add:
  value += *at++;
  goto* operations[*at++];
multiply:
  value *= *at++;
  goto* operations[*at++];
loop:
  if (--counter > 0) at = program;
  goto* operations[*at++];
end:
  return value;
}

NOINLINE unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);
static NOINLINE int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static NOINLINE int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int compare(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static jmp_buf back;

NOINLINE void dive(int depth) {
  if (depth == 0) longjmp(back, 42);
  dive(depth - 1);
  printf("not reached\n");
}

NOINLINE int surface(int depth) {
  const int value = setjmp(back);
  if (value != 0) return value;
  dive(depth);
  return -1;
}

static NOINLINE double mean(const int* values, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum / count;
}

typedef int (*Binary)(int, int);
static Binary const kBinaries[] = {by_table, by_two_tables};

int main(int argc, char** argv) {
  (void)argv;
  for (int i = -1; i < 18; ++i) {
    printf("%d %d %d\n", i, kBinaries[0](i, 40 + i), kBinaries[i & 1](i, i * 3));
  }
  const unsigned char program[] = {1, 5, 2, 3, 3, 1, 7, 0};
  printf("%ld\n", interpret(program, 5));
  printf("%u %d %d\n", ackermann(2, 3 + (unsigned)argc), is_even(11), is_odd(11));
  int values[37];
  for (int i = 0; i < 37; ++i) values[i] = (i * 29) % 37;
  printf("%f\n", mean(values, 37));
  qsort(values, 37, sizeof values[0], compare);
  for (int i = 0; i < 37; ++i) {
    if (values[i] != i) printf("wrong order at %d\n", i);
  }
  printf("%d\n", surface(9));
  return 7;
}
