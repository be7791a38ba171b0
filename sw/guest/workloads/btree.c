/* A B-tree as an index: insertions in random order, look-ups, range scans, deletions with borrowing
 * and merging, mixed as a database would; a bitmap of the keys checks every answer. */
#include "workload.h"

enum { MIN_DEGREE = 16, MAX_KEYS = 2 * MIN_DEGREE - 1 };

typedef struct node {
  uint16_t count;
  uint16_t leaf;
  uint32_t keys[MAX_KEYS];
  uint32_t values[MAX_KEYS];
  struct node* children[MAX_KEYS + 1];
} node_t;

typedef struct {
  node_t* root;
  uint32_t nodes;
  uint32_t splits, merges, borrows;
} tree_t;

static node_t* new_node(tree_t* t, int leaf) {
  node_t* n = calloc(1, sizeof *n);
  n->leaf = (uint16_t)leaf;
  ++t->nodes;
  return n;
}

static void free_node(tree_t* t, node_t* n) {
  free(n);
  --t->nodes;
}

static uint32_t lower_bound(const node_t* n, uint32_t key) {
  uint32_t low = 0, high = n->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (n->keys[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static const uint32_t* find(const tree_t* t, uint32_t key) {
  const node_t* n = t->root;
  for (;;) {
    uint32_t i = lower_bound(n, key);
    if (i < n->count && n->keys[i] == key) return &n->values[i];
    if (n->leaf) return NULL;
    n = n->children[i];
  }
}

static void open_gap(node_t* n, uint32_t at) {
  for (uint32_t i = n->count; i > at; --i) {
    n->keys[i] = n->keys[i - 1];
    n->values[i] = n->values[i - 1];
  }
  ++n->count;
}

static void close_gap(node_t* n, uint32_t at) {
  for (uint32_t i = at + 1; i < n->count; ++i) {
    n->keys[i - 1] = n->keys[i];
    n->values[i - 1] = n->values[i];
  }
  --n->count;
}

static void copy_key(node_t* to, uint32_t i, const node_t* from, uint32_t j) {
  to->keys[i] = from->keys[j];
  to->values[i] = from->values[j];
}

/* Child i of `parent` is full: its upper half becomes child i + 1. */
static void split_child(tree_t* t, node_t* parent, uint32_t i) {
  node_t* left = parent->children[i];
  node_t* right = new_node(t, left->leaf);
  right->count = MIN_DEGREE - 1;
  for (uint32_t k = 0; k < MIN_DEGREE - 1; ++k) copy_key(right, k, left, k + MIN_DEGREE);
  for (uint32_t k = 0; !left->leaf && k < MIN_DEGREE; ++k) {
    right->children[k] = left->children[k + MIN_DEGREE];
  }
  left->count = MIN_DEGREE - 1;
  open_gap(parent, i);
  copy_key(parent, i, left, MIN_DEGREE - 1);
  for (uint32_t k = parent->count; k > i + 1; --k) parent->children[k] = parent->children[k - 1];
  parent->children[i + 1] = right;
  ++t->splits;
}

static int insert(tree_t* t, uint32_t key, uint32_t value) {
  if (t->root->count == MAX_KEYS) {
    node_t* root = new_node(t, 0);
    root->children[0] = t->root;
    t->root = root;
    split_child(t, root, 0);
  }
  node_t* n = t->root;
  for (;;) {
    uint32_t i = lower_bound(n, key);
    if (i < n->count && n->keys[i] == key) {
      n->values[i] = value;
      return 0;
    }
    if (n->leaf) {
      open_gap(n, i);
      n->keys[i] = key;
      n->values[i] = value;
      return 1;
    }
    if (n->children[i]->count == MAX_KEYS) {
      split_child(t, n, i);
      if (n->keys[i] == key) {
        n->values[i] = value;
        return 0;
      }
      if (n->keys[i] < key) ++i;
    }
    n = n->children[i];
  }
}

/* Joins child i, the separating key and child i + 1. */
static node_t* merge_children(tree_t* t, node_t* parent, uint32_t i) {
  node_t* left = parent->children[i];
  node_t* right = parent->children[i + 1];
  copy_key(left, left->count, parent, i);
  for (uint32_t k = 0; k < right->count; ++k) copy_key(left, left->count + 1 + k, right, k);
  for (uint32_t k = 0; !left->leaf && k <= right->count; ++k) {
    left->children[left->count + 1 + k] = right->children[k];
  }
  left->count = (uint16_t)(left->count + 1 + right->count);
  for (uint32_t k = i + 1; k < parent->count; ++k) parent->children[k] = parent->children[k + 1];
  close_gap(parent, i);
  free_node(t, right);
  ++t->merges;
  return left;
}

static void borrow_from_left(node_t* parent, uint32_t i) {
  node_t* n = parent->children[i];
  node_t* left = parent->children[i - 1];
  open_gap(n, 0);
  copy_key(n, 0, parent, i - 1);
  copy_key(parent, i - 1, left, left->count - 1u);
  if (!n->leaf) {
    for (uint32_t k = n->count; k > 0; --k) n->children[k] = n->children[k - 1];
    n->children[0] = left->children[left->count];
  }
  --left->count;
}

static void borrow_from_right(node_t* parent, uint32_t i) {
  node_t* n = parent->children[i];
  node_t* right = parent->children[i + 1];
  ++n->count;
  copy_key(n, n->count - 1u, parent, i);
  copy_key(parent, i, right, 0);
  if (!n->leaf) {
    n->children[n->count] = right->children[0];
    for (uint32_t k = 0; k < right->count; ++k) right->children[k] = right->children[k + 1];
  }
  close_gap(right, 0);
}

/* Gives child i at least MIN_DEGREE keys before a deletion goes down into it. */
static node_t* refill_child(tree_t* t, node_t* parent, uint32_t i) {
  node_t* n = parent->children[i];
  if (n->count >= MIN_DEGREE) return n;
  if (i > 0 && parent->children[i - 1]->count >= MIN_DEGREE) {
    borrow_from_left(parent, i);
    ++t->borrows;
    return n;
  }
  if (i < parent->count && parent->children[i + 1]->count >= MIN_DEGREE) {
    borrow_from_right(parent, i);
    ++t->borrows;
    return n;
  }
  return merge_children(t, parent, i < parent->count ? i : i - 1);
}

static int erase_below(tree_t* t, node_t* n, uint32_t key) {
  for (;;) {
    uint32_t i = lower_bound(n, key);
    int here = i < n->count && n->keys[i] == key;
    if (n->leaf) {
      if (here) close_gap(n, i);
      return here;
    }
    if (!here) {
      n = refill_child(t, n, i);
      continue;
    }
    node_t *left = n->children[i], *right = n->children[i + 1];
    if (left->count >= MIN_DEGREE) { /* the predecessor replaces the key */
      const node_t* p = left;
      while (!p->leaf) p = p->children[p->count];
      uint32_t moved = p->keys[p->count - 1];
      copy_key(n, i, p, p->count - 1u);
      return erase_below(t, left, moved);
    }
    if (right->count >= MIN_DEGREE) { /* or the successor */
      const node_t* p = right;
      while (!p->leaf) p = p->children[0];
      uint32_t moved = p->keys[0];
      copy_key(n, i, p, 0);
      return erase_below(t, right, moved);
    }
    n = merge_children(t, n, i);
  }
}

static int erase(tree_t* t, uint32_t key) {
  int erased = erase_below(t, t->root, key);
  if (t->root->count == 0 && !t->root->leaf) {
    node_t* old = t->root;
    t->root = old->children[0];
    free_node(t, old);
  }
  return erased;
}

/* Sums the values of keys in [from, to]. */
static uint64_t scan(const node_t* n, uint32_t from, uint32_t to, uint32_t* seen) {
  uint64_t sum = 0;
  uint32_t i = lower_bound(n, from);
  for (; i < n->count && n->keys[i] <= to; ++i) {
    if (!n->leaf) sum += scan(n->children[i], from, to, seen);
    sum += n->values[i];
    ++*seen;
  }
  if (!n->leaf) sum += scan(n->children[i], from, to, seen);
  return sum;
}

int main(int argc, char** argv) {
  static const uint32_t key_spaces[] = {4096, 65536, 262144};
  static const uint32_t operation_counts[] = {6000, 60000, 400000};
  workload_size_t which = workload_size(argc, argv);
  uint32_t space = key_spaces[which], operations = operation_counts[which];
  uint64_t random = 3, sum = CHECKSUM_START, found = 0;
  uint8_t* present = calloc(space, 1);
  tree_t tree = {NULL, 0, 0, 0, 0};
  tree.root = new_node(&tree, 1);
  uint32_t size = 0;

  for (uint32_t i = 0; i < operations; ++i) {
    uint32_t key = random_below(&random, space);
    uint32_t choice = random_below(&random, 100);
    uint32_t grow = i < operations / 2 ? 45 : 20; /* first it grows, then it shrinks */
    if (choice < grow) {
      int added = insert(&tree, key, key * 3 + 1);
      require(added == !present[key], "an insertion disagrees with the bitmap");
      size += (uint32_t)added;
      present[key] = 1;
    } else if (choice < 65) {
      int erased = erase(&tree, key);
      require(erased == present[key], "a deletion disagrees with the bitmap");
      size -= (uint32_t)erased;
      present[key] = 0;
    } else if (choice < 97) {
      const uint32_t* value = find(&tree, key);
      require((value != NULL) == present[key], "a look-up disagrees with the bitmap");
      if (value != NULL) found += *value == key * 3 + 1;
    } else {
      uint32_t seen = 0;
      sum = checksum_word(sum, scan(tree.root, key, key + space / 128, &seen));
      sum = checksum_word(sum, seen);
    }
  }
  uint32_t all = 0;
  sum = checksum_word(sum, scan(tree.root, 0, space, &all));
  require(all == size, "the final scan misses keys");

  printf("btree: %u operations, %u keys in %u nodes, %llu found\n", operations, size, tree.nodes,
         (unsigned long long)found);
  printf("%u splits, %u merges, %u borrows\n", tree.splits, tree.merges, tree.borrows);
  printf("checksum %016llx\n", (unsigned long long)sum);
  free(present);
  return 0;
}
