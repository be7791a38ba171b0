/* A hash join and aggregation, the inner loop of a database: orders join customers on a key with
 * skew, filtered by a predicate, grouped by the customer's region and month; then the groups are
 * sorted. The join runs again as a sort-merge join, and the two must agree. */
#include "workload.h"

typedef struct {
  uint32_t key;
  uint16_t region;
  uint16_t credit;
} customer_t;

typedef struct {
  uint32_t customer;
  uint16_t day;
  uint16_t flags;
  int64_t cents;
} order_t;

typedef struct entry {
  struct entry* next;
  const customer_t* row;
} entry_t;

typedef struct {
  uint32_t region, month;
  uint64_t rows;
  int64_t cents;
} group_t;

enum { REGIONS = 60, MONTHS = 12, GROUPS = REGIONS * MONTHS };

typedef struct {
  customer_t* customers;
  order_t* orders;
  uint32_t customer_count, order_count;
} database_t;

static database_t generate(uint32_t customers, uint32_t orders, uint64_t* random) {
  database_t db;
  db.customer_count = customers;
  db.order_count = orders;
  db.customers = malloc(customers * sizeof *db.customers);
  db.orders = malloc(orders * sizeof *db.orders);
  for (uint32_t i = 0; i < customers; ++i) {
    customer_t c;
    c.key = i * 7 + 3;
    c.region = (uint16_t)random_below(random, REGIONS);
    c.credit = (uint16_t)random_below(random, 1000);
    db.customers[i] = c;
  }
  for (uint32_t i = customers - 1; i > 0; --i) { /* shuffle the order in memory */
    uint32_t j = random_below(random, i + 1);
    customer_t t = db.customers[i];
    db.customers[i] = db.customers[j];
    db.customers[j] = t;
  }
  for (uint32_t i = 0; i < orders; ++i) {
    order_t o;
    uint32_t who = random_below(random, customers + customers / 8); /* some match none */
    if (random_below(random, 4) == 0) who = who % (customers / 16 + 1);
    o.customer = who * 7 + 3;
    o.day = (uint16_t)random_below(random, 365);
    o.flags = (uint16_t)random_below(random, 256);
    o.cents = (int64_t)random_below(random, 100000) - 5000;
    db.orders[i] = o;
  }
  return db;
}

static int wanted(const customer_t* c, const order_t* o) {
  if ((o->flags & 3) == 3) return 0;
  if (o->cents < 0) return c->credit > 500;
  return o->cents > 1000 || c->credit < 100;
}

static void add_to_group(group_t* groups, const customer_t* c, const order_t* o) {
  uint32_t month = o->day * MONTHS / 365;
  group_t* g = &groups[c->region * MONTHS + month];
  ++g->rows;
  g->cents += o->cents;
}

static uint32_t hash_key(uint32_t key, uint32_t bits) { return key * 2654435769u >> (32 - bits); }

static void hash_join(const database_t* db, group_t* groups) {
  uint32_t bits = 4;
  while ((1u << bits) < db->customer_count) ++bits;
  entry_t** buckets = calloc((size_t)1 << bits, sizeof *buckets);
  entry_t* pool = malloc(db->customer_count * sizeof *pool);
  for (uint32_t i = 0; i < db->customer_count; ++i) {
    uint32_t bucket = hash_key(db->customers[i].key, bits);
    pool[i].row = &db->customers[i];
    pool[i].next = buckets[bucket];
    buckets[bucket] = &pool[i];
  }
  for (uint32_t i = 0; i < db->order_count; ++i) {
    const order_t* o = &db->orders[i];
    for (entry_t* e = buckets[hash_key(o->customer, bits)]; e != NULL; e = e->next) {
      if (e->row->key != o->customer) continue;
      if (wanted(e->row, o)) add_to_group(groups, e->row, o);
    }
  }
  free(buckets);
  free(pool);
}

static int by_key(const void* a, const void* b) {
  uint32_t x = ((const customer_t*)a)->key, y = ((const customer_t*)b)->key;
  return (x > y) - (x < y);
}

static int by_customer(const void* a, const void* b) {
  uint32_t x = ((const order_t*)a)->customer, y = ((const order_t*)b)->customer;
  return (x > y) - (x < y);
}

static void merge_join(database_t* db, group_t* groups) {
  qsort(db->customers, db->customer_count, sizeof *db->customers, by_key);
  qsort(db->orders, db->order_count, sizeof *db->orders, by_customer);
  uint32_t c = 0;
  for (uint32_t i = 0; i < db->order_count; ++i) {
    const order_t* o = &db->orders[i];
    while (c < db->customer_count && db->customers[c].key < o->customer) ++c;
    if (c == db->customer_count) return;
    if (db->customers[c].key == o->customer && wanted(&db->customers[c], o)) {
      add_to_group(groups, &db->customers[c], o);
    }
  }
}

static int by_cents(const void* a, const void* b) {
  const group_t *x = a, *y = b;
  if (x->cents != y->cents) return x->cents < y->cents ? 1 : -1;
  return x->region != y->region ? (int)x->region - (int)y->region : (int)x->month - (int)y->month;
}

static group_t* new_groups(void) {
  group_t* groups = calloc(GROUPS, sizeof *groups);
  for (uint32_t i = 0; i < GROUPS; ++i) {
    groups[i].region = i / MONTHS;
    groups[i].month = i % MONTHS;
  }
  return groups;
}

int main(int argc, char** argv) {
  static const uint32_t customer_counts[] = {500, 8000, 40000};
  static const uint32_t order_counts[] = {2500, 30000, 250000};
  workload_size_t which = workload_size(argc, argv);
  uint64_t random = 2;
  database_t db = generate(customer_counts[which], order_counts[which], &random);
  group_t* hashed = new_groups();
  group_t* merged = new_groups();

  hash_join(&db, hashed);
  merge_join(&db, merged);
  uint64_t rows = 0;
  for (uint32_t i = 0; i < GROUPS; ++i) {
    require(hashed[i].rows == merged[i].rows && hashed[i].cents == merged[i].cents,
            "the hash join and the merge join differ");
    rows += hashed[i].rows;
  }
  qsort(hashed, GROUPS, sizeof *hashed, by_cents);

  uint64_t sum = CHECKSUM_START;
  for (uint32_t i = 0; i < GROUPS; ++i) {
    sum = checksum_word(sum, (uint64_t)hashed[i].region << 32 | hashed[i].month);
    sum = checksum_word(sum, (uint64_t)hashed[i].cents);
  }
  printf("hashjoin: %u orders, %u customers, %llu rows\n", db.order_count, db.customer_count,
         (unsigned long long)rows);
  printf("best group: region %u month %u, %lld cents\n", hashed[0].region, hashed[0].month,
         (long long)hashed[0].cents);
  printf("checksum %016llx\n", (unsigned long long)sum);
  free(hashed);
  free(merged);
  free(db.customers);
  free(db.orders);
  return 0;
}
