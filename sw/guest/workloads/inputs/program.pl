# Input of the Perl interpreter built by scripts/fetch-workloads: text, regular expressions, hashes, closures, objects.
# SIZE is the number of lines of text.
my $seed = 42;
sub draw { $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $_[0] }

# a log file: made with sprintf, read with regular expressions
my @verbs = qw(reads writes opens closes moves);
my @names = map { my $n = $_; map { "$_$n" } qw(anna bert carl dora) } 1 .. 40;
my @lines = map {
  sprintf "%02d:%02d:%02d %s %s /srv/%s/%s.%s (%d bytes)", draw(24), draw(60), draw(60), $names[draw(160)],
    $verbs[draw(5)], $verbs[draw(5)], $names[draw(160)], (qw(txt png c))[draw(3)], draw(100000)
} 1 .. SIZE;

my (%bytes, %kinds, $odd);
for (@lines) {
  next unless /^(\d\d):\d\d:\d\d (\w+) (reads|writes) (\S+?)\.(txt|png|c) \((\d+) bytes\)$/;
  $bytes{$2}{$3} += $6;
  $kinds{$5}++;
  (my $path = $4) =~ s{/(\w)(\w*)}{"/" . uc($1) . $2}ge;
  $odd++ if $path =~ /([aeiou])[^aeiou]+\1.*\d[13579]$/i;
}
my @top = sort { ($bytes{$b}{reads} // 0) <=> ($bytes{$a}{reads} // 0) || $a cmp $b } keys %bytes;
print "top: ", join(" ", map { "$_=" . ($bytes{$_}{reads} // 0) } @top[0 .. 2]), "\n";
print "kinds: ", join(" ", map { "$_=$kinds{$_}" } sort keys %kinds), " odd: $odd\n";

# objects with inherited methods: an inventory
package Item {
  sub new { my ($class, %with) = @_; return bless {price => 0, count => 0, %with}, $class }
  sub take { my ($self, $n) = @_; $n = $self->{count} if $n > $self->{count}; $self->{count} -= $n; return $n }
  sub value { my $self = shift; return $self->{price} * $self->{count} }
}
package Bulk {
  our @ISA = ('Item');
  sub value { my $self = shift; my $full = $self->SUPER::value(); return $self->{count} > 50 ? int($full * 0.9) : $full }
}
package main;
my @items = map { ($_ % 3 ? 'Item' : 'Bulk')->new(price => draw(500), count => 100 + draw(900)) } 1 .. 50;
my $taken = 0;
$taken += $items[draw(50)]->take(draw(4)) for 1 .. SIZE;
my $value = 0;
$value += $_->value for @items;
print "taken: $taken value: $value\n";

# closures and recursion: a parser of arithmetic terms by descent
my %apply = ('+' => sub { $_[0] + $_[1] }, '-' => sub { $_[0] - $_[1] }, '*' => sub { $_[0] * $_[1] % 1000 });
my ($sum, $product, $factor);
$factor = sub { my $t = shift; if ($$t =~ /\G\(/gc) { my $v = $sum->($t); $$t =~ /\G\)/gc or die; return $v }
  $$t =~ /\G(\d+)/gc or die "no number"; return $1 };
$product = sub { my $t = shift; my $v = $factor->($t); $v = $apply{'*'}->($v, $factor->($t)) while $$t =~ /\G\*/gc; return $v };
$sum = sub { my $t = shift; my $v = $product->($t);
  while ($$t =~ /\G([-+])/gc) { my $act = $apply{$1}; $v = $act->($v, $product->($t)) } return $v };
sub term { my $depth = shift; return draw(100) if $depth == 0 || draw(4) == 0;
  return "(" . term($depth - 1) . (qw(+ - *))[draw(3)] . term($depth - 1) . ")" }
my $total = 0;
for (1 .. SIZE / 20) { my $text = term(5); $total += $sum->(\$text) }
print "terms: $total\n";

# words: split, sort, pack, tr
my %count;
$count{$_}++ for map { split /[^a-z]+/ } @lines;
delete $count{''};
my $text = join ",", map { "$_:$count{$_}" } sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
(my $turned = $text) =~ tr/a-z/n-za-m/;
print substr($turned, 0, 60), " ", unpack("%32C*", $text), "\n";
