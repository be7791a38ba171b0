/* A generational garbage collector and a program that keeps it busy: threads call, return, allocate
 * and store. A collection of the nursery has phases as in "Computer Performance Microscopy with
 * SHIM" (ISCA 2015, section 7): the stacks are unwound frame by frame, each with the stack map of
 * its call site; then the map of the globals is scanned in a line. Both put the places of
 * references into a buffer, which is processed afterwards. gengc_phase says which phase runs.
 *
 * Every place of a reference has beside it the number of the object that it must lead to.
 *
 * The file is long because a workload is one file, so that its profile is read beside one text. */
#include "workload.h"

typedef uint64_t word_t;

/* What an observer may read at any time. */
enum { PHASE_MUTATOR, PHASE_STACKS, PHASE_GLOBALS, PHASE_REST };
volatile uint32_t gengc_phase;
volatile word_t gengc_allocation_pointer; /* where the next object of the nursery begins */

/* An object: header, number, its references, the numbers of their objects, data. Its level is above
 * that of every object that it refers to, so trees are small. */
enum { HEADER, NUMBER, FIRST_REFERENCE };
enum { FORWARDED = 1, MARKED = 2, MOST_REFERENCES = 3, MOST_DATA = 4, TOP_LEVEL = 3 };
/* A frame: the caller's frame, its method, where the method goes on, and slots. A stack grows down.
 */
enum { CALLER, METHOD, RETURN, FIRST_SLOT, MOST_SLOTS = 20, MOST_SITES = 12 };

typedef struct {
  word_t offset; /* where the site's call returns to */
  word_t map;    /* bit n: slot n holds a reference during the call */
} site_t;

typedef struct {
  uint32_t slots, sites;
  site_t site[]; /* by offset */
} method_t;

typedef struct {
  word_t *stack, *expected; /* expected: beside each word, its number or the word itself */
  word_t* top;              /* the frame that runs */
  uint32_t depth;
} thread_t;

typedef struct {
  uint32_t threads, depth, methods, globals, collections;
  size_t nursery, half; /* bytes; the mature objects are in one of two halves */
} size_table_t;

static const size_table_t sizes[] = {{8, 48, 128, 4096, 4, 28 << 10, 128 << 10},
                                     {32, 192, 4096, 65536, 4, 128 << 10, 1 << 20},
                                     {32, 256, 8192, 262144, 18, 512 << 10, 4 << 20}};
enum { WHOLE_EVERY = 4 }; /* collections: each one so many takes the mature objects too */
static size_table_t size;
static uint64_t state = 29;
static method_t** methods;
static thread_t* threads;
static word_t *globals, *expected_globals;
static uint8_t* global_map; /* 1: the global is a reference */
static word_t nursery, halves[2], mature_free;
static int half;
static int whole; /* this collection takes the mature objects */
static word_t **buffer, **remembered;
static size_t buffered, remembered_count;
enum { MOST_REMEMBERED = 1 << 16 };
static uint64_t numbers, collections, whole_collections, from_stacks, from_globals, copied;

static word_t* at(word_t reference) { return (word_t*)reference; }
static uint32_t references_of(const word_t* o) { return (uint32_t)(o[HEADER] >> 8) & 0xff; }
static uint32_t words_of(const word_t* o) { return (uint32_t)(o[HEADER] >> 16) & 0xff; }
static uint32_t level_of(const word_t* o) { return (uint32_t)(o[HEADER] >> 24) & 0xff; }
static word_t data_of(word_t number, uint32_t word) { return number * 0x9e3779b97f4a7c15u ^ word; }
static int in_nursery(word_t reference) { return reference - nursery < size.nursery; }

/* ---- the collector ---- */

static word_t map_of(const method_t* method, word_t offset) {
  uint32_t low = 0, high = method->sites;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    if (method->site[middle].offset <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return method->site[low].map;
}

static __attribute__((noinline)) void scan_stacks(void) {
  for (uint32_t i = 0; i < size.threads; ++i) {
    for (word_t* frame = threads[i].top; frame != NULL; frame = at(frame[CALLER])) {
      word_t map = map_of(methods[frame[METHOD]], frame[RETURN]);
      for (word_t* slot = frame + FIRST_SLOT; map != 0; ++slot, map >>= 1) {
        if (map & 1) buffer[buffered++] = slot;
      }
    }
  }
}

static __attribute__((noinline)) void scan_globals(void) {
  for (uint32_t i = 0; i < size.globals; ++i) {
    if (global_map[i]) buffer[buffered++] = &globals[i];
  }
}

static void evacuate(word_t* place) {
  const word_t reference = *place;
  if (!in_nursery(reference) && !(whole && reference - halves[!half] < size.half)) return;
  word_t* const o = at(reference);
  if (!(o[HEADER] & FORWARDED)) {
    const uint32_t words = words_of(o);
    memcpy(at(mature_free), o, words * sizeof(word_t));
    o[HEADER] = mature_free | FORWARDED;
    mature_free += words * sizeof(word_t);
    ++copied;
  }
  *place = o[HEADER] - FORWARDED;
}

static __attribute__((noinline)) void process_buffer(void) {
  word_t scanned = mature_free;
  if (whole) {
    half = !half;
    scanned = mature_free = halves[half];
  }
  for (size_t i = 0; i < buffered; ++i) evacuate(buffer[i]);
  for (size_t i = 0; i < remembered_count && !whole; ++i) evacuate(remembered[i]);
  while (scanned != mature_free) {
    word_t* const o = at(scanned);
    for (uint32_t i = 0; i < references_of(o); ++i) evacuate(&o[FIRST_REFERENCE + i]);
    scanned += words_of(o) * sizeof(word_t);
  }
}

static void collect(int all) {
  whole = ++collections % WHOLE_EVERY == 0 || all;
  whole_collections += whole;
  /* All of the nursery may survive. */
  require(mature_free + size.nursery <= halves[half] + size.half, "the mature objects have room");
  buffered = 0;
  gengc_phase = PHASE_STACKS;
  scan_stacks();
  from_stacks += buffered;
  gengc_phase = PHASE_GLOBALS;
  const size_t before = buffered;
  scan_globals();
  from_globals += buffered - before;
  gengc_phase = PHASE_REST;
  process_buffer();
  remembered_count = 0;
  gengc_allocation_pointer = nursery;
  gengc_phase = PHASE_MUTATOR;
}

/* ---- the program ---- */

static word_t* allocate(uint32_t references, uint32_t data, uint32_t level) {
  const uint32_t words = FIRST_REFERENCE + 2 * references + data;
  if (gengc_allocation_pointer + words * sizeof(word_t) > nursery + size.nursery) collect(0);
  word_t* const o = at(gengc_allocation_pointer);
  gengc_allocation_pointer += words * sizeof(word_t);
  o[HEADER] = (word_t)level << 24 | words << 16 | references << 8;
  o[NUMBER] = ++numbers;
  memset(o + FIRST_REFERENCE, 0, 2 * references * sizeof(word_t));
  for (uint32_t i = words - data; i < words; ++i) o[i] = data_of(o[NUMBER], i);
  return o;
}

static void store(word_t* o, uint32_t field, word_t target) {
  word_t* const place = &o[FIRST_REFERENCE + field];
  place[0] = target;
  place[references_of(o)] = target == 0 ? 0 : at(target)[NUMBER];
  if (in_nursery(target) && !in_nursery((word_t)o)) remembered[remembered_count++] = place;
}

static word_t* expected_of(const thread_t* thread, const word_t* place) {
  return thread->expected + (place - thread->stack);
}

static word_t frame_map(const word_t* frame) {
  return map_of(methods[frame[METHOD]], frame[RETURN]);
}

/* A slot with a reference in the frame that runs; null when there is none. */
static word_t* some_slot(const thread_t* thread) {
  const word_t map = frame_map(thread->top);
  const uint32_t slots = methods[thread->top[METHOD]]->slots;
  uint32_t n = random_below(&state, slots);
  for (uint32_t i = 0; i < slots; ++i, n = n + 1 < slots ? n + 1 : 0) {
    if (map >> n & 1) return thread->top + FIRST_SLOT + n;
  }
  return NULL;
}

/* An object of a level below this one, or 0. */
static word_t some_object(const thread_t* thread, uint32_t level) {
  const word_t* const slot = some_slot(thread);
  if (slot == NULL || *slot == 0 || level_of(at(*slot)) >= level) return 0;
  return *slot;
}

static void put(const thread_t* thread, word_t* place, word_t value, int reference) {
  *place = value;
  *expected_of(thread, place) = reference && value != 0 ? at(value)[NUMBER] : value;
}

/* The frame that runs is at another call: slots that change their kind change their value. */
static void go_to_some_site(const thread_t* thread, word_t old_map) {
  word_t* const top = thread->top;
  const method_t* const method = methods[top[METHOD]];
  top[RETURN] = method->site[random_below(&state, method->sites)].offset;
  word_t map = frame_map(top), changed = map ^ old_map, number = random_next(&state);
  for (word_t* slot = top + FIRST_SLOT; changed != 0; ++slot, map >>= 1, changed >>= 1) {
    if (changed & 1) put(thread, slot, map & 1 ? 0 : ++number, 0);
  }
}

static void allocate_some(const thread_t* thread) {
  const uint64_t random = random_next(&state);
  const uint32_t references = (uint32_t)(random & MOST_REFERENCES), level = random >> 8 & TOP_LEVEL;
  word_t* const o = allocate(references, (uint32_t)(random >> 16) % (MOST_DATA + 1), level);
  for (uint32_t i = 0; i < references; ++i) store(o, i, some_object(thread, level));
  word_t* const slot = some_slot(thread);
  if (slot != NULL) put(thread, slot, (word_t)o, 1);
  const uint32_t global = random_below(&state, size.globals);
  if (random >> 32 & 7 || !global_map[global]) return;
  globals[global] = (word_t)o;
  expected_globals[global] = o[NUMBER];
}

static void call(thread_t* thread) {
  /* Some methods are called often. */
  const uint32_t number = random_below(&state, random_below(&state, size.methods) + 1);
  const method_t* const method = methods[number];
  word_t* const caller = thread->top;
  word_t* const frame =
      (caller == NULL ? thread->stack + (size_t)size.depth * (FIRST_SLOT + MOST_SLOTS) : caller) -
      FIRST_SLOT - method->slots;
  frame[CALLER] = (word_t)caller;
  frame[METHOD] = number;
  for (uint32_t i = 0; i < method->slots; ++i) put(thread, &frame[FIRST_SLOT + i], i, 0);
  thread->top = frame;
  ++thread->depth;
  go_to_some_site(thread, 0);
  allocate_some(thread);
}

static void step(thread_t* thread) {
  const uint32_t what = random_below(&state, 8);
  if (remembered_count == MOST_REMEMBERED) collect(0);
  if (what < 2 && thread->depth < size.depth) {
    call(thread);
  } else if (what < 4 && thread->depth > size.depth / 2) {
    thread->top = at(thread->top[CALLER]);
    --thread->depth;
    go_to_some_site(thread, frame_map(thread->top));
  } else if (what < 5) {
    const word_t* const slot = some_slot(thread);
    word_t* const o = slot == NULL ? NULL : at(*slot);
    if (o == NULL || references_of(o) == 0) return;
    store(o, random_below(&state, references_of(o)), some_object(thread, level_of(o)));
  } else {
    allocate_some(thread);
  }
}

/* ---- its beginning and its end ---- */

static void* zeroed(size_t count, size_t bytes) {
  void* const memory = calloc(count, bytes);
  require(memory != NULL, "there is memory");
  return memory;
}

static method_t* some_method(void) {
  const uint32_t sites = 2 + random_below(&state, MOST_SITES - 1);
  method_t* const method = zeroed(1, sizeof(method_t) + sites * sizeof(site_t));
  method->slots = 4 + random_below(&state, MOST_SLOTS - 3);
  method->sites = sites;
  word_t offset = 0;
  for (uint32_t i = 0; i < sites; ++i) {
    /* References stand together. */
    const uint32_t first = random_below(&state, method->slots / 2 + 1),
                   end = first + random_below(&state, method->slots - first + 1);
    offset += 4 + random_below(&state, 100);
    method->site[i].offset = offset;
    method->site[i].map = ((word_t)1 << end) - ((word_t)1 << first);
  }
  return method;
}

static void begin(void) {
  methods = zeroed(size.methods, sizeof(method_t*));
  for (uint32_t i = 0; i < size.methods; ++i) methods[i] = some_method();
  globals = zeroed(size.globals, sizeof(word_t));
  expected_globals = zeroed(size.globals, sizeof(word_t));
  global_map = zeroed(size.globals, 1);
  /* The globals of a class stand together, its references after its numbers. */
  for (uint32_t i = 0; i < size.globals;) {
    uint32_t n = i + 1 + random_below(&state, 96), r = n + 1 + random_below(&state, 32);
    for (; i < n && i < size.globals; ++i) globals[i] = expected_globals[i] = random_next(&state);
    for (; i < r && i < size.globals; ++i) global_map[i] = 1;
  }
  nursery = gengc_allocation_pointer = (word_t)zeroed(1, size.nursery);
  halves[0] = mature_free = (word_t)zeroed(1, size.half);
  halves[1] = (word_t)zeroed(1, size.half);
  const size_t slots = (size_t)size.threads * size.depth * MOST_SLOTS;
  buffer = zeroed(slots + size.globals, sizeof(word_t*));
  remembered = zeroed(MOST_REMEMBERED + MOST_REFERENCES, sizeof(word_t*));
  threads = zeroed(size.threads, sizeof(thread_t));
  const size_t words = (size_t)size.depth * (FIRST_SLOT + MOST_SLOTS);
  for (uint32_t i = 0; i < size.threads; ++i) {
    threads[i].stack = zeroed(words, sizeof(word_t));
    threads[i].expected = zeroed(words, sizeof(word_t));
    while (threads[i].depth < size.depth * 3 / 4) call(&threads[i]);
  }
}

/* Objects that are reached here for the first time; each is the one that it must be. */
static uint64_t mark(word_t reference, word_t number, uint64_t* sum) {
  if (reference == 0) {
    require(number == 0, "a reference is lost");
    return 0;
  }
  word_t* const o = at(reference);
  require(!(o[HEADER] & FORWARDED) && o[NUMBER] == number, "a reference leads to another object");
  if (o[HEADER] & MARKED) return 0;
  o[HEADER] |= MARKED;
  *sum = checksum_word(*sum, number);
  const uint32_t references = references_of(o), words = words_of(o);
  for (uint32_t i = FIRST_REFERENCE + 2 * references; i < words; ++i) {
    require(o[i] == data_of(number, i), "the data of an object changed");
  }
  uint64_t found = 1;
  for (uint32_t i = 0; i < references; ++i) {
    const word_t* const place = &o[FIRST_REFERENCE + i];
    found += mark(place[0], place[references], sum);
  }
  return found;
}

static uint64_t mark_all(uint64_t* sum) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < size.threads; ++i) {
    const thread_t* const thread = &threads[i];
    for (const word_t* frame = thread->top; frame != NULL; frame = at(frame[CALLER])) {
      const word_t map = frame_map(frame);
      for (uint32_t n = 0; n < methods[frame[METHOD]]->slots; ++n) {
        const word_t* const slot = frame + FIRST_SLOT + n;
        const word_t expected = *expected_of(thread, slot);
        if (map >> n & 1) {
          found += mark(*slot, expected, sum);
        } else {
          require(*slot == expected, "a number on a stack changed");
        }
      }
    }
  }
  for (uint32_t i = 0; i < size.globals; ++i) {
    if (global_map[i]) {
      found += mark(globals[i], expected_globals[i], sum);
    } else {
      require(globals[i] == expected_globals[i], "a number in a global changed");
    }
  }
  return found;
}

int main(int argc, char** argv) {
  size = sizes[workload_size(argc, argv)];
  begin();
  for (uint32_t i = 0; collections < size.collections; i = i + 1 < size.threads ? i + 1 : 0) {
    for (int n = 0; n < 16; ++n) step(&threads[i]);
  }
  printf("collections: %llu, of all objects: %llu\n", (unsigned long long)collections,
         (unsigned long long)whole_collections);
  printf("references: %llu on stacks, %llu in globals\n", (unsigned long long)from_stacks,
         (unsigned long long)from_globals);
  printf("objects: %llu, copied: %llu\n", (unsigned long long)numbers, (unsigned long long)copied);
  uint64_t sum = CHECKSUM_START;
  const uint64_t reached = mark_all(&sum);
  copied = 0;
  collect(1);
  require(copied == reached, "a collection of all objects keeps those that are reached");
  printf("reached: %llu\nchecksum: %016llx\n", (unsigned long long)reached,
         (unsigned long long)sum);
  return 0;
}
