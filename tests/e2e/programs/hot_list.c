/* A program whose hot profiles are known by construction: a list of twelve nodes is walked 3000
 * times, for each walk a helper is called twice, and nothing else happens often. */
#include <stdio.h>

struct node {
  struct node* next;
  long value;
};
static struct node nodes[12];
static volatile long checksum;

__attribute__((noinline)) long walk(const struct node* list) {
  long sum = 0;
  do {
    sum += list->value;
    list = list->next;
  } while (list != 0);
  return sum;
}

__attribute__((noinline)) void helper(long value) { checksum = checksum ^ value; }

int main(void) {
  for (int i = 0; i < 12; ++i) {
    nodes[i].value = i;
    nodes[i].next = i == 11 ? 0 : &nodes[i + 1];
  }
  for (int round = 0; round < 3000; ++round) {
    long sum = walk(nodes);
    helper(sum);
    helper(round);
  }
  printf("%ld\n", checksum);
  return 0;
}
