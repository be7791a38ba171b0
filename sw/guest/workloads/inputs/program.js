// Input of the JavaScript interpreters built by scripts/fetch-workloads: objects, closures, strings, regular expressions,
// arrays and numbers, in the language of ECMAScript 5. SIZE is the number of records.
var seed = 42;
function draw(n) {
  seed = (seed * 16807) % 2147483647;
  return seed % n;
}

// A parser of JSON-like text by descent, into objects, and back to text.
function Parser(text) { this.text = text; this.at = 0; }
Parser.prototype.peek = function () { return this.text.charAt(this.at); };
Parser.prototype.take = function (c) {
  if (this.peek() !== c) throw new Error("expected " + c + " at " + this.at);
  this.at++;
};
Parser.prototype.value = function () {
  var c = this.peek(), list, found;
  if (c === "[") {
    for (list = [], this.at++; this.peek() !== "]";) {
      list.push(this.value());
      if (this.peek() === ",") this.at++;
    }
    this.at++;
    return list;
  }
  if (c === "{") {
    for (list = {}, this.at++; this.peek() !== "}";) {
      var key = this.value();
      this.take(":");
      list[key] = this.value();
      if (this.peek() === ",") this.at++;
    }
    this.at++;
    return list;
  }
  var rest = this.text.substring(this.at, this.at + 40);
  if ((found = /^"([a-z ]*)"/.exec(rest))) { this.at += found[0].length; return found[1]; }
  if ((found = /^-?\d+(\.\d+)?/.exec(rest))) { this.at += found[0].length; return Number(found[0]); }
  throw new Error("no value at " + this.at);
};

var syllables = ["ka", "to", "mi", "re", "su", "no", "la", "pe"];
function word() {
  var text = "";
  for (var i = 0, n = 1 + draw(3); i < n; i++) text += syllables[draw(8)];
  return text;
}
function records(n) {
  var all = [];
  for (var i = 0; i < n; i++) {
    all.push('{"name":"' + word() + " " + word() + '","age":' + draw(90) + ',"marks":[' + [draw(6), draw(6), draw(6)].join(",") + "]}");
  }
  return all;
}
var texts = records(SIZE), people = [], i;
for (i = 0; i < texts.length; i++) people.push(new Parser(texts[i]).value());

// Closures over arrays: filter, map, reduce, sort.
var grown = people.filter(function (p) { return p.age > 17; });
var names = grown.map(function (p) { return p.name.replace(/(\w)(\w*) (\w+)/, "$3, $1."); }).sort();
var marks = people.reduce(function (sum, p) {
  return sum + p.marks.reduce(function (a, b) { return a + b; }, 0);
}, 0);
print(grown.length, names[0], names[names.length >> 1], marks);

// A binary tree with rotations (a treap), with methods on prototypes.
function Node(key) { this.key = key; this.rank = draw(1000000); this.left = this.right = null; this.count = 1; }
function insert(node, key) {
  var child;
  if (node === null) return new Node(key);
  if (key === node.key) { node.count++; return node; }
  if (key < node.key) {
    child = node.left = insert(node.left, key);
    if (child.rank > node.rank) { node.left = child.right; child.right = node; return child; }
  } else {
    child = node.right = insert(node.right, key);
    if (child.rank > node.rank) { node.right = child.left; child.left = node; return child; }
  }
  return node;
}
function visit(node, action) {
  if (node === null) return;
  visit(node.left, action);
  action(node);
  visit(node.right, action);
}
var root = null;
people.forEach(function (p) { p.name.split(" ").forEach(function (w) { root = insert(root, w); }); });
var most = { count: 0 }, words = 0;
visit(root, function (node) { words++; if (node.count > most.count) most = node; });
print(words, most.key, most.count);

// Events from a heap: a queue of customers, with virtual calls.
function Heap() { this.list = []; }
Heap.prototype.push = function (event) {
  var at = this.list.push(event) - 1;
  while (at > 0 && this.list[(at - 1) >> 1].time > event.time) { this.list[at] = this.list[(at - 1) >> 1]; at = (at - 1) >> 1; }
  this.list[at] = event;
};
Heap.prototype.pop = function () {
  var first = this.list[0], last = this.list.pop(), at = 0, n = this.list.length, child;
  if (n === 0) return first;
  while ((child = 2 * at + 1) < n) {
    if (child + 1 < n && this.list[child + 1].time < this.list[child].time) child++;
    if (this.list[child].time >= last.time) break;
    this.list[at] = this.list[child];
    at = child;
  }
  this.list[at] = last;
  return first;
};
var heap = new Heap(), waiting = 0, served = 0, spent = 0;
function Arrival(time) { this.time = time; }
Arrival.prototype.run = function () {
  waiting++;
  heap.push(new Arrival(this.time + 1 + draw(20)));
  if (waiting < 3) heap.push(new Service(this.time + 5 + draw(10), this.time));
};
function Service(time, since) { this.time = time; this.since = since; }
Service.prototype.run = function () {
  if (waiting > 0) waiting--;
  served++;
  spent += this.time - this.since;
  if (waiting > 0) heap.push(new Service(this.time + 5 + draw(10), this.time));
};
heap.push(new Arrival(0));
for (i = 0; i < 2 * SIZE; i++) heap.pop().run();
print(served, waiting, spent);

// Numbers: a power iteration on a small matrix.
var matrix = [], vector = [], k, j;
for (i = 0; i < 12; i++) { vector.push(1); matrix.push([]); for (j = 0; j < 12; j++) matrix[i].push(draw(100) / 100); }
for (k = 0; k < SIZE / 20; k++) {
  var next = matrix.map(function (row) { return row.reduce(function (sum, x, c) { return sum + x * vector[c]; }, 0); });
  var norm = Math.sqrt(next.reduce(function (sum, x) { return sum + x * x; }, 0));
  vector = next.map(function (x) { return x / norm; });
}
print(norm.toFixed(6));
