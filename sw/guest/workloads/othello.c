/* Othello on bitboards: iterative-deepening alpha-beta with a transposition table, killer-like move
 * ordering by square value and mobility, and an exact end game. Two players of different depth play
 * each other from several openings. */
#include "workload.h"

typedef struct {
  uint64_t own, other; /* stones of the side to move, and of its opponent */
} board_t;

typedef struct {
  uint64_t key;
  int16_t score;
  uint8_t depth;
  uint8_t bound; /* 0 empty, else bound_t */
  uint8_t move;
} slot_t;

typedef enum { BOUND_EXACT = 1, BOUND_LOWER = 2, BOUND_UPPER = 3 } bound_t;

enum { TABLE_BITS = 15, NO_MOVE = 64, INFINITE = 30000, WIN = 1000, END_GAME = 6 };

static slot_t table[1 << TABLE_BITS];
static uint64_t nodes, table_hits;

static const int8_t square_values[64] = {
    50, -9, 8,  6,  6,  8,   -9, 50, -9, -20, -3,  -2, -2, -3, -20, -9, 8,  -3, 4,  2,  2, 4,
    -3, 8,  6,  -2, 2,  0,   0,  2,  -2, 6,   6,   -2, 2,  0,  0,   2,  -2, 6,  8,  -3, 4, 2,
    2,  4,  -3, 8,  -9, -20, -3, -2, -2, -3,  -20, -9, 50, -9, 8,   6,  6,  8,  -9, 50};

static const uint64_t not_left = 0xfefefefefefefefeull, not_right = 0x7f7f7f7f7f7f7f7full;

/* One step in each of the eight directions; stones do not wrap around the edges. */
static uint64_t shift(uint64_t b, int direction) {
  switch (direction) {
    case 0:
      return (b << 1) & not_left;
    case 1:
      return (b >> 1) & not_right;
    case 2:
      return b << 8;
    case 3:
      return b >> 8;
    case 4:
      return (b << 9) & not_left;
    case 5:
      return (b >> 9) & not_right;
    case 6:
      return (b << 7) & not_right;
    default:
      return (b >> 7) & not_left;
  }
}

/* Set bits, summed in parallel in ever wider fields. */
static int bits(uint64_t b) {
  b -= b >> 1 & 0x5555555555555555ull;
  b = (b & 0x3333333333333333ull) + (b >> 2 & 0x3333333333333333ull);
  b = (b + (b >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return (int)(b * 0x0101010101010101ull >> 56);
}

static int lowest(uint64_t b) { return bits((b & (0 - b)) - 1); }

static uint64_t legal_moves(board_t b) {
  uint64_t empty = ~(b.own | b.other), moves = 0;
  for (int d = 0; d < 8; ++d) {
    uint64_t line = shift(b.own, d) & b.other;
    for (int i = 0; i < 5; ++i) line |= shift(line, d) & b.other;
    moves |= shift(line, d) & empty;
  }
  return moves;
}

static board_t pass(board_t b) {
  board_t next = {b.other, b.own};
  return next;
}

static board_t play(board_t b, int square) {
  uint64_t stone = 1ull << square, flipped = 0;
  for (int d = 0; d < 8; ++d) {
    uint64_t line = 0, at = shift(stone, d);
    while (at & b.other) {
      line |= at;
      at = shift(at, d);
    }
    if (at & b.own) flipped |= line;
  }
  board_t next = {b.other & ~flipped, b.own | flipped | stone};
  return next;
}

static int positional(uint64_t stones) {
  int value = 0;
  for (; stones != 0; stones &= stones - 1) value += square_values[lowest(stones)];
  return value;
}

static int evaluate(board_t b, uint64_t moves) {
  int mobility = bits(moves) - bits(legal_moves(pass(b)));
  return positional(b.own) - positional(b.other) + 5 * mobility;
}

static int final_score(board_t b) {
  int difference = bits(b.own) - bits(b.other);
  return difference > 0 ? WIN + difference : difference < 0 ? -WIN + difference : 0;
}

static uint64_t board_key(board_t b) {
  uint64_t key = b.own * 0x9e3779b97f4a7c15ull ^ (b.other + 0x7f4a7c15) * 0xd1342543de82ef95ull;
  return key ^ key >> 29;
}

/* Orders the moves: first the table's move, then by square value and by the mobility that is left
 * to the opponent. */
static int order_moves(board_t b, uint64_t moves, int first, uint8_t* list) {
  int keys[64], count = 0;
  for (; moves != 0; moves &= moves - 1) {
    int square = lowest(moves);
    int key = square_values[square] - 3 * bits(legal_moves(play(b, square)));
    if (square == first) key = INFINITE;
    int at = count++;
    for (; at > 0 && keys[at - 1] < key; --at) {
      keys[at] = keys[at - 1];
      list[at] = list[at - 1];
    }
    keys[at] = key;
    list[at] = (uint8_t)square;
  }
  return count;
}

static int search(board_t b, int depth, int alpha, int beta, int passed, int* best_move) {
  ++nodes;
  uint64_t moves = legal_moves(b);
  if (moves == 0) {
    if (passed) return final_score(b);
    return -search(pass(b), depth, -beta, -alpha, 1, NULL);
  }
  if (depth <= 0) return evaluate(b, moves);

  uint64_t key = board_key(b);
  slot_t* slot = &table[key >> (64 - TABLE_BITS)];
  int first = NO_MOVE;
  if (slot->bound != 0 && slot->key == key) {
    first = slot->move;
    if (slot->depth == depth && best_move == NULL) {
      int usable = slot->bound == BOUND_EXACT ||
                   (slot->bound == BOUND_LOWER && slot->score >= beta) ||
                   (slot->bound == BOUND_UPPER && slot->score <= alpha);
      if (usable) {
        ++table_hits;
        return slot->score;
      }
    }
  }

  uint8_t list[64];
  int count = order_moves(b, moves, first, list);
  int best = -INFINITE, best_square = NO_MOVE, low = alpha;
  for (int i = 0; i < count && low < beta; ++i) {
    board_t next = play(b, list[i]);
    int score;
    if (i == 0) {
      score = -search(next, depth - 1, -beta, -low, 0, NULL);
    } else { /* a narrow window first; the full one only if the move may be better */
      score = -search(next, depth - 1, -low - 1, -low, 0, NULL);
      if (score > low && score < beta) score = -search(next, depth - 1, -beta, -score, 0, NULL);
    }
    if (score > best) {
      best = score;
      best_square = list[i];
    }
    if (score > low) low = score;
  }
  slot->key = key;
  slot->score = (int16_t)best;
  slot->depth = (uint8_t)depth;
  slot->bound = (uint8_t)(best <= alpha ? BOUND_UPPER : best >= beta ? BOUND_LOWER : BOUND_EXACT);
  slot->move = (uint8_t)best_square;
  if (best_move != NULL) *best_move = best_square;
  return best;
}

static int choose_move(board_t b, int depth) {
  int empty = 64 - bits(b.own | b.other), move = NO_MOVE;
  if (empty <= END_GAME) depth = empty;
  for (int d = 1; d <= depth; ++d) search(b, d, -INFINITE, INFINITE, 0, &move);
  return move;
}

/* Plays a game after `opening` random moves; returns black's stones minus white's. */
static int play_game(int opening, int black_depth, int white_depth, uint64_t* random,
                     uint64_t* sum) {
  board_t b = {0x0000000810000000ull, 0x0000001008000000ull};
  int black = 1, passes = 0;
  for (int ply = 0; passes < 2; ++ply) {
    uint64_t moves = legal_moves(b);
    if (moves == 0) {
      ++passes;
      b = pass(b);
    } else {
      passes = 0;
      int move;
      if (ply < opening) {
        for (uint32_t skip = random_below(random, (uint32_t)bits(moves)); skip > 0; --skip) {
          moves &= moves - 1;
        }
        move = lowest(moves);
      } else {
        move = choose_move(b, black ? black_depth : white_depth);
      }
      require(move != NO_MOVE && (legal_moves(b) >> move & 1) != 0, "an illegal move");
      *sum = checksum_word(*sum, (uint64_t)move);
      b = play(b, move);
    }
    black = !black;
  }
  int difference = bits(b.own) - bits(b.other);
  return black ? difference : -difference;
}

int main(int argc, char** argv) {
  static const int depths[] = {1, 1, 3};
  static const int openings[] = {48, 6, 6};
  static const int game_counts[] = {1, 4, 3};
  workload_size_t which = workload_size(argc, argv);
  uint64_t random = 4, sum = CHECKSUM_START;
  int total = 0, wins = 0;
  for (int g = 0; g < game_counts[which]; ++g) {
    int deep_is_black = g % 2 == 0;
    int deep = depths[which] + 1, shallow = depths[which];
    int result = play_game(openings[which], deep_is_black ? deep : shallow,
                           deep_is_black ? shallow : deep, &random, &sum);
    if (!deep_is_black) result = -result;
    wins += result > 0;
    total += result;
  }
  printf("othello: %d games, the deeper player won %d, %+d stones\n", game_counts[which], wins,
         total);
  printf("%llu positions, %llu answered by the table\n", (unsigned long long)nodes,
         (unsigned long long)table_hits);
  printf("checksum %016llx\n", (unsigned long long)sum);
  return 0;
}
