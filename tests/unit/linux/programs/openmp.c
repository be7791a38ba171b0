// OpenMP with four threads: loops, reductions, tasks and sections give what one thread would give.
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { kSize = 3000 };

static int values[kSize], visits[kSize];
static int private_number;
#pragma omp threadprivate(private_number)

static int visited_once(void) {
  int wrong = 0;
  for (int i = 0; i < kSize; ++i) wrong += visits[i] != 1;
  memset(visits, 0, sizeof visits);
  return wrong == 0;
}

static void loops(void) {
  long sum = 0, product = 1;
  int most = -1, least = kSize, bits = 0;
  double half = 0;
#pragma omp parallel for reduction(+ : sum, half) reduction(max : most) reduction(min : least) \
    reduction(| : bits)
  for (int i = 0; i < kSize; ++i) {
    values[i] = (i * 7919 + 13) % 10007;
    sum += values[i], half += 0.5, bits |= values[i] & 0x1248;
    if (values[i] > most) most = values[i];
    if (values[i] < least) least = values[i];
  }
#pragma omp parallel for reduction(* : product)
  for (int i = 1; i <= 20; ++i) product *= i;
  printf("sum %ld, half %.1f, most %d, least %d, bits %#x, product %ld\n", sum, half, most, least,
         bits, product);

#pragma omp parallel for schedule(static)
  for (int i = 0; i < kSize; ++i) ++visits[i];
  printf("static %d", visited_once());
#pragma omp parallel for schedule(static, 7)
  for (int i = 0; i < kSize; ++i) ++visits[i];
  printf(", in pieces %d", visited_once());
#pragma omp parallel for schedule(dynamic, 5)
  for (int i = 0; i < kSize; ++i) ++visits[i];
  printf(", dynamic %d", visited_once());
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < kSize; ++i) ++visits[i];
  printf(", guided %d", visited_once());
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < kSize / 30; ++j) ++visits[i * (kSize / 30) + j];
  printf(", collapsed %d\n", visited_once());

  int last = 0, first = 5;
#pragma omp parallel for lastprivate(last) firstprivate(first)
  for (int i = 0; i < kSize; ++i) last = i + first;
  printf("last %d\n", last);
  char order[11] = "";
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 10; ++i) {
#pragma omp ordered
    order[strlen(order)] = (char)('0' + i);
  }
  printf("ordered %s\n", order);
}

static void exclusion(void) {
  long in_critical = 0, named = 0, with_lock = 0, atomic = 0, captured = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for
  for (int i = 0; i < 400; ++i) {
#pragma omp critical
    in_critical += i;
#pragma omp critical(other)
    named += 1;
    omp_set_lock(&lock);
    with_lock += 2;
    omp_unset_lock(&lock);
    long mine;
#pragma omp atomic capture
    mine = atomic++;
#pragma omp atomic
    captured += mine;
  }
  omp_destroy_lock(&lock);
  printf("critical %ld, named %ld, lock %ld, atomic %ld, captured %ld\n", in_critical, named,
         with_lock, atomic, captured);
}

static void teams(void) {
  int threads = 0, singles = 0, masters = 0, seen = 0, behind = 0, inner = 0;
  int marks[4] = {0};
  unsigned numbers = 0;
#pragma omp parallel reduction(| : numbers)
  {
    const int me = omp_get_thread_num();
    numbers |= 1u << me;
    private_number = me;
#pragma omp single
    ++singles, threads = omp_get_num_threads();
#pragma omp master
    ++masters;
    for (int phase = 1; phase <= 20; ++phase) {
      marks[me] = phase;
#pragma omp barrier
      for (int i = 0; i < 4; ++i)
        if (marks[i] != phase)
#pragma omp atomic
          ++behind;
#pragma omp barrier
    }
    int from_single = 0;
#pragma omp single copyprivate(from_single)
    from_single = 9;
#pragma omp atomic
    seen += from_single + (private_number == me);
#pragma omp parallel
#pragma omp atomic
    inner += omp_get_num_threads();
  }
  printf("threads %d, numbers %#x, singles %d, masters %d, behind %d, seen %d, inner %d\n", threads,
         numbers, singles, masters, behind, seen, inner);
  int parts[3] = {0};
#pragma omp parallel sections
  {
#pragma omp section
    parts[0] = 1;
#pragma omp section
    parts[1] = 2;
#pragma omp section
    parts[2] = 3;
  }
  printf("sections %d %d %d\n", parts[0], parts[1], parts[2]);
#pragma omp parallel num_threads(2)
#pragma omp single
  printf("a team of %d\n", omp_get_num_threads());
}

static int fibonacci(int n) {
  if (n < 2) return n;
  int left = 0, right = 0;
#pragma omp task shared(left) if (n > 6)
  left = fibonacci(n - 1);
  right = fibonacci(n - 2);
#pragma omp taskwait
  return left + right;
}

static void sort(int* first, int* last) {
  if (last - first < 2) return;
  int *low = first, *high = last;
  for (const int pivot = first[(last - first) / 2];;) {
    while (*low < pivot) ++low;
    while (*--high > pivot) continue;
    if (low >= high) break;
    const int swapped = *low;
    *low++ = *high, *high = swapped;
  }
#pragma omp task if (last - first > 100)
  sort(first, low);
#pragma omp task if (last - first > 100)
  sort(low, last);
#pragma omp taskwait
}

static void tasks(void) {
  int number = 0, chain = 1, looped = 0;
#pragma omp parallel
#pragma omp single
  {
    number = fibonacci(14);
    sort(values, values + kSize);
    for (int i = 0; i < 8; ++i) {
#pragma omp task depend(inout : chain)
      chain = chain * 3 + i;
    }
#pragma omp taskloop grainsize(25) reduction(+ : looped)
    for (int i = 0; i < 500; ++i) looped += i;
  }
  int sorted = 1;
  for (int i = 1; i < kSize; ++i) sorted &= values[i - 1] <= values[i];
  printf("fibonacci %d, sorted %d, chain %d, looped %d\n", number, sorted, chain, looped);
}

int main(void) {
  omp_set_num_threads(4);
  omp_set_max_active_levels(1);
  omp_set_dynamic(0);
  loops();
  exclusion();
  teams();
  tasks();
  return 0;
}
