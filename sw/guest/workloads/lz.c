/* LZ77-type compression with hash chains and lazy matching and byte-wise coding, and the
 * decompression that must give the input back. The text is generated: words of a Zipf-like
 * vocabulary, punctuation, and stretches copied from earlier with a few changes. */
#include "workload.h"

enum {
  WINDOW_BITS = 15,
  WINDOW = 1 << WINDOW_BITS,
  HASH_BITS = 14,
  MIN_MATCH = 4,
  MAX_MATCH = 258,
  VOCABULARY = 2000,
  MAX_WORD = 12
};

typedef struct {
  const uint8_t* text;
  uint32_t size;
  uint32_t chain_limit;
  int32_t head[1 << HASH_BITS];
  int32_t previous[WINDOW];
} matcher_t;

typedef struct {
  uint32_t length;
  uint32_t distance;
} match_t;

typedef struct {
  uint8_t* bytes;
  uint32_t size;
} output_t;

static uint32_t write_word(uint8_t* out, uint32_t at, uint32_t limit, const char* word) {
  while (*word != 0 && at < limit) out[at++] = (uint8_t)*word++;
  if (at < limit) out[at++] = ' ';
  return at;
}

static void generate_text(uint8_t* out, uint32_t size, uint64_t* random) {
  static char words[VOCABULARY][MAX_WORD + 1];
  static const char letters[] = "eeeeetttaaooiinnsshhrrddlcumwfgypbvk";
  for (int w = 0; w < VOCABULARY; ++w) {
    uint32_t length = 2 + random_below(random, MAX_WORD - 2);
    for (uint32_t i = 0; i < length; ++i) {
      words[w][i] = letters[random_below(random, sizeof letters - 1)];
    }
  }
  uint32_t at = 0;
  while (at < size) {
    uint32_t choice = random_below(random, 100);
    if (choice < 3 && at > 512) {
      uint32_t length = 20 + random_below(random, 200);
      uint32_t from = random_below(random, at - 256);
      for (uint32_t i = 0; i < length && at < size; ++i) out[at++] = out[from + i];
      if (at < size) out[at++] = (uint8_t)('0' + random_below(random, 10));
    } else if (choice < 8) {
      at = write_word(out, at, size, choice < 6 ? "." : ",\n");
    } else {
      uint32_t rank = random_below(random, VOCABULARY);
      rank = rank * random_below(random, VOCABULARY) / VOCABULARY;
      at = write_word(out, at, size, words[rank]);
    }
  }
}

static uint32_t hash_at(const uint8_t* p) {
  uint32_t word =
      (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  return (word * 2654435761u) >> (32 - HASH_BITS);
}

static void insert(matcher_t* m, uint32_t at) {
  if (at + MIN_MATCH > m->size) return;
  uint32_t hash = hash_at(m->text + at);
  m->previous[at & (WINDOW - 1)] = m->head[hash];
  m->head[hash] = (int32_t)at;
}

static match_t longest_match(const matcher_t* m, uint32_t at) {
  match_t best = {MIN_MATCH - 1, 0};
  if (at + MIN_MATCH > m->size) return best;
  uint32_t room = m->size - at < MAX_MATCH ? m->size - at : MAX_MATCH;
  int32_t candidate = m->head[hash_at(m->text + at)];
  for (uint32_t steps = m->chain_limit; candidate >= 0 && steps > 0; --steps) {
    uint32_t distance = at - (uint32_t)candidate;
    if (distance > WINDOW - MAX_MATCH) break;
    const uint8_t* a = m->text + candidate;
    const uint8_t* b = m->text + at;
    if (best.length >= room) break;
    if (a[best.length] == b[best.length]) {
      uint32_t length = 0;
      while (length < room && a[length] == b[length]) ++length;
      if (length > best.length) {
        best.length = length;
        best.distance = distance;
      }
    }
    candidate = m->previous[(uint32_t)candidate & (WINDOW - 1)];
  }
  return best;
}

static void put_number(output_t* out, uint32_t number) {
  while (number >= 128) {
    out->bytes[out->size++] = (uint8_t)(number | 128);
    number >>= 7;
  }
  out->bytes[out->size++] = (uint8_t)number;
}

/* A run of literals: 2 * length, then the bytes. A match: 2 * length + 1, then the distance. */
static void put_literals(output_t* out, const uint8_t* from, uint32_t length) {
  if (length == 0) return;
  put_number(out, length * 2);
  memcpy(out->bytes + out->size, from, length);
  out->size += length;
}

static void compress(matcher_t* m, output_t* out) {
  uint32_t literals = 0; /* start of the pending literals */
  uint32_t at = 0;
  while (at < m->size) {
    match_t match = longest_match(m, at);
    insert(m, at);
    if (match.distance == 0) {
      ++at;
      continue;
    }
    if (match.length < 32 && at + 1 < m->size) { /* a longer match may start at the next byte */
      match_t next = longest_match(m, at + 1);
      if (next.distance != 0 && next.length > match.length) {
        ++at;
        insert(m, at);
        match = next;
      }
    }
    put_literals(out, m->text + literals, at - literals);
    put_number(out, match.length * 2 + 1);
    put_number(out, match.distance);
    for (uint32_t i = 1; i < match.length; ++i) insert(m, at + i);
    at += match.length;
    literals = at;
  }
  put_literals(out, m->text + literals, at - literals);
}

static uint32_t get_number(const uint8_t* in, uint32_t* at) {
  uint32_t number = 0;
  for (int shift = 0;; shift += 7) {
    uint8_t byte = in[(*at)++];
    number |= (uint32_t)(byte & 127) << shift;
    if (byte < 128) return number;
  }
}

static uint32_t decompress(const uint8_t* in, uint32_t in_size, uint8_t* out) {
  uint32_t size = 0;
  for (uint32_t at = 0; at < in_size;) {
    uint32_t token = get_number(in, &at);
    uint32_t length = token / 2;
    if ((token & 1) == 0) {
      memcpy(out + size, in + at, length);
      at += length;
      size += length;
    } else {
      uint32_t from = size - get_number(in, &at);
      for (uint32_t i = 0; i < length; ++i) out[size++] = out[from + i];
    }
  }
  return size;
}

int main(int argc, char** argv) {
  static const uint32_t sizes[] = {20000, 200000, 1500000};
  static const uint32_t chains[] = {16, 24, 32};
  static matcher_t matcher;
  workload_size_t which = workload_size(argc, argv);
  uint32_t size = sizes[which];
  uint64_t random = 1;

  uint8_t* text = malloc(size);
  uint8_t* packed = malloc(size + size / 8 + 64);
  uint8_t* unpacked = malloc(size + MAX_MATCH);
  generate_text(text, size, &random);

  matcher.text = text;
  matcher.size = size;
  matcher.chain_limit = chains[which];
  memset(matcher.head, 0xff, sizeof matcher.head);
  output_t out = {packed, 0};
  compress(&matcher, &out);
  uint32_t back = decompress(packed, out.size, unpacked);
  require(back == size && memcmp(text, unpacked, size) == 0, "the round trip changed the text");

  printf("lz: %u bytes to %u, %u.%u%%\n", size, out.size, out.size * 100 / size,
         out.size * 100 % size * 10 / size);
  printf("checksum %016llx\n",
         (unsigned long long)checksum_bytes(CHECKSUM_START, packed, out.size));
  free(text);
  free(packed);
  free(unpacked);
  return 0;
}
