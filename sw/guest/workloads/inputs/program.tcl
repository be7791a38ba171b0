# Input of Tcl built by scripts/fetch-workloads: procedures, lists, dictionaries, strings, objects. SIZE is the number of
# records.
set seed 42
proc draw {n} {
  global seed
  set seed [expr {($seed * 16807) % 2147483647}]
  return [expr {$seed % $n}]
}
proc word {} {
  set text ""
  for {set n [expr {1 + [draw 3]}]} {$n > 0} {incr n -1} { append text [lindex {ka to mi re su no la pe} [draw 8]] }
  return $text
}

# records: dictionaries, grouped and sorted
set records {}
for {set i 0} {$i < SIZE} {incr i} {
  lappend records [dict create name "[word] [word]" age [draw 90] marks [list [draw 6] [draw 6] [draw 6]]]
}
set ages [dict create]
foreach record $records {
  dict lappend ages [expr {[dict get $record age] / 10}] [dict get $record name]
}
foreach decade [lsort -integer [dict keys $ages]] {
  set names [lsort -unique [dict get $ages $decade]]
  puts "$decade: [llength $names] [lindex $names 0]"
}
set total 0
foreach record $records { incr total [tcl::mathop::+ {*}[dict get $record marks]] }
puts "marks: $total"

# text: regular expressions, string map, format, scan
set changed 0
foreach record $records {
  regexp {^(\w)(\w*) (\w+)$} [dict get $record name] -> head rest last
  incr changed [regsub -all {[aeiou](?=[nrk])} "$last, $head." {<&>} line]
  set line [string map {ka ga to do} [string toupper $line 0 0]]
  scan [format "%05d:%s" [string length $line] $line] "%d:%s" length word
  incr changed $length
}
puts "changed: $changed $line"

# a class with a subclass
oo::class create Account {
  variable balance
  constructor {} { set balance 0 }
  method post {amount} { incr balance $amount }
  method balance {} { return $balance }
}
oo::class create Saving {
  superclass Account
  method post {amount} { if {$amount > 0 || [my balance] + $amount >= 0} { next $amount } }
}
for {set i 0} {$i < 20} {incr i} { lappend accounts [expr {$i % 3 ? [Account new] : [Saving new]}] }
for {set i 0} {$i < SIZE} {incr i} { [lindex $accounts [draw 20]] post [expr {[draw 200] - 90}] }
set sum 0
foreach account $accounts { incr sum [$account balance] }
puts "accounts: $sum"

# recursion: permutations without adjacent numbers side by side, in a coroutine
proc permute {done rest} {
  if {![llength $rest]} { yield $done }
  foreach one $rest {
    if {[llength $done] && abs([lindex $done end] - $one) == 1} continue
    permute [linsert $done end $one] [lsearch -all -inline -not -exact $rest $one]
  }
  return {}
}
set found 0
coroutine next permute {} [expr {SIZE >= 1000 ? {1 2 3 4 5 6 7} : {1 2 3 4 5}}]
while {[llength [info commands next]]} { incr found; next }
puts "permutations: $found"
