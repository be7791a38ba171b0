/* A small Lisp: reader, symbols, closures with lexical scope, tail calls, a mark-and-sweep
 * collector; it runs programs written in it: n-queens, sorting, association lists, symbolic
 * differentiation and a generator of primes.
 *
 * The file is long because a workload is one file, so that its profile is read beside one text. */
#include "workload.h"

typedef enum { NIL, NUMBER, SYMBOL, PAIR, CLOSURE, BUILTIN } kind_t;

typedef struct object object_t;
typedef object_t* (*builtin_t)(object_t* arguments);

struct object {
  uint8_t kind;
  uint8_t marked;
  uint8_t special; /* a symbol's special form */
  union {
    int64_t number;
    const char* name;
    builtin_t builtin;
    struct {
      object_t *head, *tail; /* a closure: ((parameters . body) . environment) */
    } pair;
  } as;
};

enum { HEAP = 60000, ROOTS = 20000, SYMBOLS = 200 };

static object_t heap[HEAP];
static object_t* free_list;
static object_t** roots[ROOTS]; /* variables of C that hold objects */
static int root_count;
static object_t* symbols[SYMBOLS];
static int symbol_count;
static object_t nil_object, *nil = &nil_object, *truth, *globals;
static uint64_t collections, allocations, evaluations;

enum { SPECIAL_QUOTE = 1, SPECIAL_IF, SPECIAL_LAMBDA, SPECIAL_DEFINE, SPECIAL_LET, SPECIAL_COND };

#define PROTECT(variable) (roots[root_count++] = &(variable))
#define RELEASE(count) (root_count -= (count))

static object_t* head(const object_t* o) { return o->as.pair.head; }
static object_t* tail(const object_t* o) { return o->as.pair.tail; }

static void mark(object_t* o) {
  while (!o->marked) {
    o->marked = 1;
    if (o->kind != PAIR && o->kind != CLOSURE) return;
    mark(head(o));
    o = tail(o);
  }
}

static void collect(void) {
  ++collections;
  nil->marked = 1;
  mark(globals);
  for (int i = 0; i < symbol_count; ++i) mark(symbols[i]);
  for (int i = 0; i < root_count; ++i) mark(*roots[i]);
  free_list = NULL;
  for (int i = 0; i < HEAP; ++i) {
    if (!heap[i].marked) {
      heap[i].as.pair.tail = free_list;
      free_list = &heap[i];
    }
    heap[i].marked = 0;
  }
  require(free_list != NULL, "the Lisp heap is full");
}

static object_t* allocate(kind_t kind) {
  if (free_list == NULL) collect();
  object_t* o = free_list;
  free_list = o->as.pair.tail;
  o->kind = (uint8_t)kind;
  o->special = 0;
  ++allocations;
  return o;
}

static object_t* make_number(int64_t n) {
  object_t* o = allocate(NUMBER);
  o->as.number = n;
  return o;
}

static object_t* cons(object_t* a, object_t* b) {
  PROTECT(a);
  PROTECT(b);
  object_t* o = allocate(PAIR);
  RELEASE(2);
  o->as.pair.head = a;
  o->as.pair.tail = b;
  return o;
}

static object_t* intern(const char* name, size_t length) {
  for (int i = 0; i < symbol_count; ++i) {
    const char* known = symbols[i]->as.name;
    if (strlen(known) == length && memcmp(known, name, length) == 0) return symbols[i];
  }
  require(symbol_count < SYMBOLS, "too many Lisp symbols");
  char* copy = malloc(length + 1);
  memcpy(copy, name, length);
  copy[length] = 0;
  object_t* o = allocate(SYMBOL);
  o->as.name = copy;
  symbols[symbol_count++] = o;
  return o;
}

/* ---- reader ---- */

static const char* skip_blanks(const char* p) {
  while (*p == ' ' || *p == '\n') ++p;
  return p;
}

static object_t* read_object(const char** at);

static object_t* read_list(const char** at) {
  *at = skip_blanks(*at);
  if (**at == ')') {
    ++*at;
    return nil;
  }
  object_t* first = read_object(at);
  PROTECT(first);
  object_t* rest = read_list(at);
  RELEASE(1);
  return cons(first, rest);
}

static object_t* read_object(const char** at) {
  const char* p = *at = skip_blanks(*at);
  if (*p == '(') {
    ++*at;
    return read_list(at);
  }
  if (*p == '\'') {
    ++*at;
    object_t* quoted = cons(read_object(at), nil);
    return cons(intern("quote", 5), quoted);
  }
  while (*p != 0 && *p != ' ' && *p != '\n' && *p != '(' && *p != ')') ++p;
  const char* start = *at;
  *at = p;
  if (*start >= '0' && *start <= '9') return make_number(strtoll(start, NULL, 10));
  return intern(start, (size_t)(p - start));
}

/* ---- evaluation ---- */

static object_t* evaluate(object_t* expression, object_t* environment);

static object_t* lookup(const object_t* symbol, const object_t* environment) {
  for (const object_t* e = environment; e != nil; e = tail(e)) {
    if (head(head(e)) == symbol) return tail(head(e));
  }
  for (const object_t* e = globals; e != nil; e = tail(e)) {
    if (head(head(e)) == symbol) return tail(head(e));
  }
  printf("unbound: %s\n", symbol->as.name);
  exit(1);
}

static object_t* evaluate_list(object_t* list, object_t* environment) {
  if (list == nil) return nil;
  PROTECT(list);
  PROTECT(environment);
  object_t* first = evaluate(head(list), environment);
  PROTECT(first);
  object_t* rest = evaluate_list(tail(list), environment);
  RELEASE(3);
  return cons(first, rest);
}

static object_t* bind(object_t* parameters, object_t* arguments, object_t* environment) {
  PROTECT(parameters);
  PROTECT(arguments);
  PROTECT(environment);
  for (; parameters != nil; parameters = tail(parameters), arguments = tail(arguments)) {
    require(arguments != nil, "too few arguments");
    object_t* binding = cons(head(parameters), head(arguments));
    environment = cons(binding, environment);
  }
  RELEASE(3);
  return environment;
}

static object_t* make_closure(object_t* function, object_t* environment) {
  PROTECT(function);
  PROTECT(environment);
  object_t* o = allocate(CLOSURE);
  RELEASE(2);
  o->as.pair.head = function;
  o->as.pair.tail = environment;
  return o;
}

static object_t* define(object_t* symbol, object_t* expression) {
  object_t* value = evaluate(expression, nil);
  globals = cons(cons(symbol, value), globals);
  return symbol;
}

/* One step of a special form. Returns 1 with the value, or 0 when *expression and *environment hold
 * what is to be evaluated instead. */
static int special_form(int form, object_t** expression, object_t** environment, object_t** value) {
  object_t* arguments = tail(*expression);
  switch (form) {
    case SPECIAL_QUOTE:
      *value = head(arguments);
      return 1;
    case SPECIAL_IF: {
      object_t* condition = evaluate(head(arguments), *environment);
      *expression = condition != nil ? head(tail(arguments)) : head(tail(tail(arguments)));
      return 0;
    }
    case SPECIAL_LAMBDA:
      *value = make_closure(arguments, *environment);
      return 1;
    case SPECIAL_DEFINE:
      *value = define(head(arguments), head(tail(arguments)));
      return 1;
    case SPECIAL_LET: { /* (let name value body) */
      object_t* bound = evaluate(head(tail(arguments)), *environment);
      *environment = cons(cons(head(arguments), bound), *environment);
      *expression = head(tail(tail(arguments)));
      return 0;
    }
    default: { /* (cond (test value) ...) */
      for (object_t* c = arguments; c != nil; c = tail(c)) {
        if (evaluate(head(head(c)), *environment) == nil) continue;
        *expression = head(tail(head(c)));
        return 0;
      }
      *value = nil;
      return 1;
    }
  }
}

static object_t* evaluate(object_t* expression, object_t* environment) {
  object_t *function = nil, *arguments = nil, *value = nil;
  require(root_count + 16 < ROOTS, "the Lisp stack is full");
  PROTECT(expression);
  PROTECT(environment);
  PROTECT(function);
  PROTECT(arguments);
  for (;;) {
    ++evaluations;
    if (expression->kind == SYMBOL) {
      value = lookup(expression, environment);
      break;
    }
    if (expression->kind != PAIR) {
      value = expression;
      break;
    }
    if (head(expression)->special != 0) {
      if (special_form(head(expression)->special, &expression, &environment, &value)) break;
      continue;
    }
    function = evaluate(head(expression), environment);
    arguments = evaluate_list(tail(expression), environment);
    if (function->kind == BUILTIN) {
      value = function->as.builtin(arguments);
      break;
    }
    require(function->kind == CLOSURE, "a call of something that is no function");
    environment = bind(head(head(function)), arguments, tail(function));
    expression = head(tail(head(function)));
  }
  RELEASE(4);
  return value;
}

/* ---- builtins ---- */

static int64_t first_number(const object_t* a) { return head(a)->as.number; }
static int64_t second_number(const object_t* a) { return head(tail(a))->as.number; }
static object_t* boolean(int b) { return b ? truth : nil; }

static object_t* b_add(object_t* a) { return make_number(first_number(a) + second_number(a)); }
static object_t* b_subtract(object_t* a) { return make_number(first_number(a) - second_number(a)); }
static object_t* b_multiply(object_t* a) { return make_number(first_number(a) * second_number(a)); }
static object_t* b_modulo(object_t* a) { return make_number(first_number(a) % second_number(a)); }
static object_t* b_less(object_t* a) { return boolean(first_number(a) < second_number(a)); }
static object_t* b_cons(object_t* a) { return cons(head(a), head(tail(a))); }
static object_t* b_head(object_t* a) { return head(head(a)); }
static object_t* b_tail(object_t* a) { return tail(head(a)); }
static object_t* b_null(object_t* a) { return boolean(head(a) == nil); }
static object_t* b_is_pair(object_t* a) { return boolean(head(a)->kind == PAIR); }
static object_t* b_is_number(object_t* a) { return boolean(head(a)->kind == NUMBER); }

static object_t* b_same(object_t* a) {
  const object_t *x = head(a), *y = head(tail(a));
  return boolean(x == y ||
                 (x->kind == NUMBER && y->kind == NUMBER && x->as.number == y->as.number));
}

static void add_builtin(const char* name, builtin_t function) {
  object_t* o = allocate(BUILTIN);
  o->as.builtin = function;
  globals = cons(cons(intern(name, strlen(name)), o), globals);
}

static void add_special(const char* name, int form) {
  intern(name, strlen(name))->special = (uint8_t)form;
}

static void start(void) {
  nil->kind = NIL;
  globals = nil;
  for (int i = 0; i < HEAP; ++i) {
    heap[i].as.pair.tail = free_list;
    free_list = &heap[i];
  }
  truth = intern("t", 1);
  globals = cons(cons(truth, truth), globals);
  globals = cons(cons(intern("nil", 3), nil), globals);
  add_special("quote", SPECIAL_QUOTE);
  add_special("if", SPECIAL_IF);
  add_special("lambda", SPECIAL_LAMBDA);
  add_special("define", SPECIAL_DEFINE);
  add_special("let", SPECIAL_LET);
  add_special("cond", SPECIAL_COND);
  add_builtin("+", b_add);
  add_builtin("-", b_subtract);
  add_builtin("*", b_multiply);
  add_builtin("mod", b_modulo);
  add_builtin("<", b_less);
  add_builtin("=", b_same);
  add_builtin("cons", b_cons);
  add_builtin("head", b_head);
  add_builtin("tail", b_tail);
  add_builtin("null", b_null);
  add_builtin("pair", b_is_pair);
  add_builtin("number", b_is_number);
}

static const char library[] =
    "(define not (lambda (x) (if x nil t)))"
    "(define length (lambda (l n) (if (null l) n (length (tail l) (+ n 1)))))"
    "(define append (lambda (a b) (if (null a) b (cons (head a) (append (tail a) b)))))"
    "(define map (lambda (f l) (if (null l) nil (cons (f (head l)) (map f (tail l))))))"
    "(define filter (lambda (f l) (cond ((null l) nil)"
    "  ((f (head l)) (cons (head l) (filter f (tail l)))) (t (filter f (tail l))))))"
    "(define fold (lambda (f a l) (if (null l) a (fold f (f a (head l)) (tail l)))))"
    "(define range (lambda (a b) (if (< a b) (cons a (range (+ a 1) b)) nil)))"
    "(define safe (lambda (q d qs) (cond ((null qs) t) ((= q (head qs)) nil)"
    "  ((= q (+ (head qs) d)) nil) ((= q (- (head qs) d)) nil)"
    "  (t (safe q (+ d 1) (tail qs))))))"
    "(define try (lambda (q n qs left) (if (< q n) (+ (if (safe q 1 qs)"
    "  (place n (cons q qs) (- left 1)) 0) (try (+ q 1) n qs left)) 0)))"
    "(define place (lambda (n qs left) (if (= left 0) 1 (try 0 n qs left))))"
    "(define queens (lambda (n) (place n nil n)))"
    "(define noise (lambda (n seed) (if (= n 0) nil"
    "  (cons (mod seed 1000) (noise (- n 1) (mod (+ (* seed 1103) 12345) 65537))))))"
    "(define sort (lambda (l) (if (null l) nil (let p (head l) (append"
    "  (sort (filter (lambda (x) (< x p)) (tail l)))"
    "  (cons p (sort (filter (lambda (x) (not (< x p))) (tail l)))))))))"
    "(define weigh (lambda (l) (fold (lambda (a x) (mod (+ (* a 31) x) 1000003)) 7 l)))"
    "(define d (lambda (e) (cond ((number e) 0) ((= e 'x) 1)"
    "  ((= (head e) 'add) (sum (d (head (tail e))) (d (head (tail (tail e))))))"
    "  (t (sum (product (head (tail e)) (d (head (tail (tail e)))))"
    "          (product (d (head (tail e))) (head (tail (tail e)))))))))"
    "(define sum (lambda (a b) (cond ((= a 0) b) ((= b 0) a) (t (cons 'add (cons a (cons b "
    "nil)))))))"
    "(define product (lambda (a b) (cond ((= a 0) 0) ((= b 0) 0) ((= a 1) b) ((= b 1) a)"
    "  (t (cons 'mul (cons a (cons b nil)))))))"
    "(define power (lambda (n) (if (= n 0) 1 (product 'x (power (- n 1))))))"
    "(define at (lambda (e v) (cond ((number e) e) ((= e 'x) v)"
    "  ((= (head e) 'add) (mod (+ (at (head (tail e)) v) (at (head (tail (tail e))) v)) 10007))"
    "  (t (mod (* (at (head (tail e)) v) (at (head (tail (tail e))) v)) 10007)))))"
    "(define sieve (lambda (l) (if (null l) nil (let p (head l) (cons p"
    "  (sieve (filter (lambda (n) (not (= (mod n p) 0))) (tail l))))))))";

static void load(const char* text) {
  for (const char* at = skip_blanks(text); *at != 0; at = skip_blanks(at)) {
    evaluate(read_object(&at), nil);
  }
}

static uint64_t sum = CHECKSUM_START;

static void run(const char* what, const char* program, int n) {
  char text[80];
  snprintf(text, sizeof text, program, n);
  const char* at = text;
  int64_t result = evaluate(read_object(&at), nil)->as.number;
  printf("%s %d: %lld\n", what, n, (long long)result);
  sum = checksum_word(sum, (uint64_t)result);
}

int main(int argc, char** argv) {
  static const int queens[] = {4, 6, 7}, sorted[] = {16, 80, 400}, power[] = {3, 8, 14};
  static const int primes[] = {14, 130, 500};
  workload_size_t which = workload_size(argc, argv);
  start();
  load(library);
  run("queens", "(queens %d)", queens[which]);
  run("sort", "(weigh (sort (noise %d 42)))", sorted[which]);
  run("derivative", "(at (d (d (power %d))) 3)", power[which]);
  run("primes below", "(fold + 0 (sieve (range 2 %d)))", primes[which]);
  printf("%llu evaluations, %llu objects, %llu collections\n", (unsigned long long)evaluations,
         (unsigned long long)allocations, (unsigned long long)collections);
  printf("checksum %016llx\n", (unsigned long long)sum);
  return 0;
}
