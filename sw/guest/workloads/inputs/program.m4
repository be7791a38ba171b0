dnl Input of m4 built by scripts/fetch-workloads: macros that call macros. SIZE is the number of rounds.
divert(-1)
define(`loop', `ifelse(eval($2 <= $3), 1, `pushdef(`$1', $2)$4`'popdef(`$1')loop(`$1', incr($2), $3, `$4')')')
define(`draw', `define(`seed', eval((seed * 8121 + 28411) % 134456))eval(seed % $1)')
define(`seed', 42)

dnl the towers of Hanoi
define(`moves', 0)
define(`hanoi', `ifelse($1, 0, , `hanoi(decr($1), $2, $4, $3)define(`moves', incr(moves))define(`last', $2$3)hanoi(decr($1), $4, $3, $2)')')

dnl lists: quicksort
define(`first', `$1')
define(`less', `ifelse(`$2', , , `ifelse(eval($2 < $1), 1, `,$2')less($1, shift(shift($@)))')')
define(`more', `ifelse(`$2', , , `ifelse(eval($2 >= $1), 1, `,$2')more($1, shift(shift($@)))')')
define(`sort', `ifelse($#, 1, `$1', `sort_parts($1, `less($@)', `more($@)')')')
define(`sort_parts', `side(shift($2))$1 side(shift($3))')
define(`side', `ifelse(`$1', , , `sort($@) ')')
define(`draws', `ifelse($1, 1, `draw(1000)', `draw(1000),draws(decr($1))')')

dnl text: reversal, counting of letters, translation
define(`reverse', `ifelse(`$1', , , `reverse(substr(`$1', 1))`'substr(`$1', 0, 1)')')
define(`count', `ifelse(index(`$1', `$2'), -1, $3, `count(substr(`$1', incr(index(`$1', `$2'))), `$2', incr($3))')')
define(`text', `the quick brown fox jumps over the lazy dog and then over the quick brown fox')

dnl numbers: the greatest common divisor, primes
define(`gcd', `ifelse($2, 0, $1, `gcd($2, eval($1 % $2))')')
define(`prime', `ifelse(eval($2 * $2 > $1), 1, 1, `ifelse(eval($1 % $2), 0, 0, `prime($1, eval($2 + 2))')')')
define(`primes', 0)

loop(`round', 1, SIZE, `
  hanoi(3, a, b, c)
  define(`sorted', sort(draws(6)))
  define(`turned', reverse(text))
  define(`letters', count(text, `o', 0))
  define(`divisor', gcd(draw(10000), draw(5000)))
  ifelse(prime(eval(2 * draw(5000) + 3), 3), 1, `define(`primes', incr(primes))')
')
divert(0)dnl
`moves:' moves `last:' last
`sorted:' sorted
`turned:' translit(turned, `a-z', `b-za') `letters:' letters
`divisor:' divisor `primes:' primes
