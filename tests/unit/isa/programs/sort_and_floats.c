// Exercises integer, floating-point and library code: sorting, printing, allocation, matrix and
// transcendental arithmetic.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static float single_precision(int n) {
  float sum = 0.0f;
  for (int i = 1; i <= n; ++i) sum += 1.0f / (float)i - sqrtf((float)i) * 1e-3f;
  return sum;
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 400;
  uint32_t *values = malloc((size_t)n * sizeof *values);
  uint64_t state = 12345, hash = 1469598103934665603u;
  for (int i = 0; i < n; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values[i] = (uint32_t)(state >> 33);
  }
  qsort(values, (size_t)n, sizeof *values, compare);
  for (int i = 0; i < n; ++i) hash = (hash ^ values[i]) * 1099511628211u;
  double matrix[8][8], power[8][8];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) matrix[i][j] = sin(i * 8 + j) / (1 + i);
  for (int round = 0; round < n / 40; ++round) {
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j) {
        double sum = 0;
        for (int k = 0; k < 8; ++k) sum += matrix[i][k] * matrix[k][j];
        power[i][j] = (sum + cos(i + j)) / (1 + fabs(sum));
      }
    memcpy(matrix, power, sizeof matrix);
  }
  char text[128];
  snprintf(text, sizeof text, "%016llx %.17g %.9g %d", (unsigned long long)hash, matrix[3][5],
           (double)single_precision(n), (int)(long)(exp(2.5) * 1000));
  puts(text);
  free(values);
  return (int)(hash & 63);
}
