/* Shortest paths on a generated road network (a grid with one-way streets, missing streets and some
 * motorways): Dijkstra with an indexed binary heap, A* with a distance bound for single pairs, and
 * a Bellman-Ford queue that must agree. */
#include "workload.h"

typedef struct {
  uint32_t to;
  uint32_t length;
} arc_t;

typedef struct {
  uint32_t side, nodes, arc_count;
  uint32_t* first; /* arcs of node n: first[n] .. first[n + 1] */
  arc_t* arcs;
} graph_t;

typedef struct {
  uint32_t* nodes;    /* heap order */
  uint32_t* position; /* a node's place in the heap */
  uint32_t* key;      /* a node's key */
  uint32_t size;
} heap_t;

static const uint32_t unreached = 0xffffffffu;
enum { MIN_STREET = 20, MOTORWAY_STEP = 16 };

static void add_arc(graph_t* g, uint32_t to, uint32_t length) {
  arc_t arc = {to, length};
  g->arcs[g->arc_count++] = arc;
}

static graph_t generate(uint32_t side, uint64_t* random) {
  graph_t g;
  g.side = side;
  g.nodes = side * side;
  g.arc_count = 0;
  g.first = malloc((g.nodes + 1) * sizeof *g.first);
  g.arcs = malloc((size_t)g.nodes * 8 * sizeof *g.arcs);
  for (uint32_t n = 0; n < g.nodes; ++n) {
    uint32_t x = n % side, y = n / side;
    g.first[n] = g.arc_count;
    uint32_t neighbours[4];
    uint32_t count = 0;
    if (x > 0) neighbours[count++] = n - 1;
    if (x + 1 < side) neighbours[count++] = n + 1;
    if (y > 0) neighbours[count++] = n - side;
    if (y + 1 < side) neighbours[count++] = n + side;
    for (uint32_t i = 0; i < count; ++i) {
      if (random_below(random, 8) == 0) continue;
      add_arc(&g, neighbours[i], MIN_STREET + random_below(random, 60));
    }
    if (x % MOTORWAY_STEP == 0 && y % MOTORWAY_STEP == 0) {
      if (x + MOTORWAY_STEP < side) {
        add_arc(&g, n + MOTORWAY_STEP, MOTORWAY_STEP * MIN_STREET + random_below(random, 40));
      }
      if (y + MOTORWAY_STEP < side) {
        add_arc(&g, n + MOTORWAY_STEP * side,
                MOTORWAY_STEP * MIN_STREET + random_below(random, 40));
      }
    }
  }
  g.first[g.nodes] = g.arc_count;
  return g;
}

static void heap_put(heap_t* h, uint32_t at, uint32_t node) {
  h->nodes[at] = node;
  h->position[node] = at;
}

static void sift_up(heap_t* h, uint32_t node) {
  uint32_t at = h->position[node];
  while (at > 0) {
    uint32_t parent = (at - 1) / 2;
    if (h->key[h->nodes[parent]] <= h->key[node]) break;
    heap_put(h, at, h->nodes[parent]);
    at = parent;
  }
  heap_put(h, at, node);
}

static uint32_t heap_pop(heap_t* h) {
  uint32_t top = h->nodes[0], last = h->nodes[--h->size];
  h->position[top] = unreached;
  uint32_t at = 0;
  for (uint32_t child = 1; child < h->size; child = 2 * at + 1) {
    if (child + 1 < h->size && h->key[h->nodes[child + 1]] < h->key[h->nodes[child]]) ++child;
    if (h->key[h->nodes[child]] >= h->key[last]) break;
    heap_put(h, at, h->nodes[child]);
    at = child;
  }
  if (h->size > 0) heap_put(h, at, last);
  return top;
}

static void heap_lower(heap_t* h, uint32_t node, uint32_t key) {
  h->key[node] = key;
  if (h->position[node] == unreached) heap_put(h, h->size++, node);
  sift_up(h, node);
}

/* The grid distance times the least length of a street. It is never too long, because a step on a
 * motorway is not shorter. */
static uint32_t bound(const graph_t* g, uint32_t from, uint32_t to) {
  int dx = (int)(from % g->side) - (int)(to % g->side);
  int dy = (int)(from / g->side) - (int)(to / g->side);
  return (uint32_t)(abs(dx) + abs(dy)) * MIN_STREET;
}

/* Distances from `source` until `target` is settled (target = unreached: all nodes); with `guided`
 * the heap is ordered by distance plus the bound to the target. Returns nodes settled. */
static uint32_t search(const graph_t* g, heap_t* h, uint32_t* distance, uint32_t source,
                       uint32_t target, int guided) {
  memset(distance, 0xff, g->nodes * sizeof *distance);
  memset(h->position, 0xff, g->nodes * sizeof *h->position);
  h->size = 0;
  distance[source] = 0;
  heap_lower(h, source, guided ? bound(g, source, target) : 0);
  uint32_t settled = 0;
  while (h->size > 0) {
    uint32_t node = heap_pop(h);
    ++settled;
    if (node == target) break;
    for (uint32_t a = g->first[node]; a < g->first[node + 1]; ++a) {
      const arc_t* arc = &g->arcs[a];
      uint32_t through = distance[node] + arc->length;
      if (through >= distance[arc->to]) continue;
      distance[arc->to] = through;
      heap_lower(h, arc->to, guided ? through + bound(g, arc->to, target) : through);
    }
  }
  return settled;
}

static void bellman_ford(const graph_t* g, uint32_t* distance, uint32_t source) {
  uint32_t* queue = malloc((g->nodes + 1) * sizeof *queue);
  uint8_t* queued = calloc(g->nodes, 1);
  memset(distance, 0xff, g->nodes * sizeof *distance);
  distance[source] = 0;
  uint32_t head = 0, tail = 1;
  queue[0] = source;
  while (head != tail) {
    uint32_t node = queue[head];
    head = head == g->nodes ? 0 : head + 1;
    queued[node] = 0;
    for (uint32_t a = g->first[node]; a < g->first[node + 1]; ++a) {
      const arc_t* arc = &g->arcs[a];
      uint32_t through = distance[node] + arc->length;
      if (through >= distance[arc->to]) continue;
      distance[arc->to] = through;
      if (queued[arc->to]) continue;
      queued[arc->to] = 1;
      queue[tail] = arc->to;
      tail = tail == g->nodes ? 0 : tail + 1;
    }
  }
  free(queue);
  free(queued);
}

int main(int argc, char** argv) {
  static const uint32_t sides[] = {32, 96, 288};
  static const uint32_t query_counts[] = {4, 6, 6};
  workload_size_t which = workload_size(argc, argv);
  uint64_t random = 5, sum = CHECKSUM_START;
  graph_t g = generate(sides[which], &random);
  heap_t heap;
  heap.nodes = malloc(g.nodes * sizeof *heap.nodes);
  heap.position = malloc(g.nodes * sizeof *heap.position);
  heap.key = malloc(g.nodes * sizeof *heap.key);
  uint32_t* distance = malloc(g.nodes * sizeof *distance);
  uint32_t* other = malloc(g.nodes * sizeof *other);

  uint32_t source = random_below(&random, g.nodes);
  uint32_t reached = search(&g, &heap, distance, source, unreached, 0);
  bellman_ford(&g, other, source);
  uint32_t longest = 0;
  for (uint32_t n = 0; n < g.nodes; ++n) {
    require(distance[n] == other[n], "Dijkstra and Bellman-Ford differ");
    sum = checksum_word(sum, distance[n]);
    if (distance[n] != unreached && distance[n] > longest) longest = distance[n];
  }

  uint64_t plain = 0, guided = 0;
  for (uint32_t q = 0; q < query_counts[which]; ++q) {
    uint32_t from = random_below(&random, g.nodes), to = random_below(&random, g.nodes);
    plain += search(&g, &heap, distance, from, to, 0);
    guided += search(&g, &heap, other, from, to, 1);
    require(distance[to] == other[to], "Dijkstra and A* differ");
    sum = checksum_word(sum, distance[to]);
  }
  printf("paths: %u nodes, %u arcs, %u reached, the farthest at %u\n", g.nodes, g.arc_count,
         reached, longest);
  printf("%u queries: Dijkstra settled %llu nodes, A* %llu\n", query_counts[which],
         (unsigned long long)plain, (unsigned long long)guided);
  printf("checksum %016llx\n", (unsigned long long)sum);
  return 0;
}
