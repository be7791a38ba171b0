# Input of mawk built by scripts/fetch-workloads: fields, arrays, regular expressions, functions. SIZE is the number of
# lines of text.
function draw(n) {
  seed = (seed * 16807) % 2147483647
  return seed % n
}
function word(   n, text) {
  text = ""
  for (n = 1 + draw(3); n > 0; n--) text = text syllables[1 + draw(8)]
  return text
}
function ackermann(m, n) {
  if (m == 0) return n + 1
  if (n == 0) return ackermann(m - 1, 1)
  return ackermann(m - 1, ackermann(m, n - 1))
}
function sort(list, low, high,   left, right, pivot, swap) {
  if (low >= high) return
  left = low; right = high; pivot = list[int((low + high) / 2)]
  while (left <= right) {
    while (list[left] < pivot) left++
    while (list[right] > pivot) right--
    if (left <= right) { swap = list[left]; list[left++] = list[right]; list[right--] = swap }
  }
  sort(list, low, right)
  sort(list, left, high)
}
BEGIN {
  seed = 42
  split("ka to mi re su no la pe", syllables, " ")
  for (i = 1; i <= SIZE; i++)
    line[i] = sprintf("%s %s %d %s:%d <%s@%s.example>", word(), word(), draw(1000), word(), draw(100), word(), word())
  for (i = 1; i <= SIZE; i++) {
    fields = split(line[i], field, /[ :<>]+/)
    sum[field[1]] += field[3]
    count[length(field[4])]++
    if (line[i] ~ /(ka|mi)(re|su)*to .*[13579] <.*no@/) matched++
    if (match(line[i], /<[a-z]+@/)) user[substr(line[i], RSTART + 1, RLENGTH - 2)]++
    copy = line[i]
    changed += gsub(/[aeiou]n?/, "(&)", copy)
    bytes += length(toupper(copy))
  }
  for (key in sum) sorted[++n] = key
  sort(sorted, 1, n)
  for (i = 1; i <= n; i++) text = text " " sorted[i] "=" sum[sorted[i]]
  for (key in user) { users++; if (user[key] > most) most = user[key] }
  print n, substr(text, 1, 60), length(text)
  print count[2], count[4], count[6], matched + 0, users, most, changed, bytes
  print ackermann(2, 3 + SIZE / 30)
}
