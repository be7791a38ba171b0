-- Input of the Lua interpreter built by scripts/fetch-workloads: objects, closures, strings, tables
-- and coroutines in the proportions of a script, not of a micro-benchmark.

local seed = 42
local function random(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n
end

-- words: split, count, sort, join
local function words(count)
  local syllables = { "ka", "to", "mi", "re", "su", "no", "la", "pe" }
  local text = {}
  for i = 1, count do
    local word = {}
    for j = 1, 1 + random(3) do word[j] = syllables[1 + random(#syllables)] end
    text[i] = table.concat(word)
  end
  local counts, list = {}, {}
  for word in table.concat(text, " "):gmatch("%a+") do
    if not counts[word] then list[#list + 1] = word end
    counts[word] = (counts[word] or 0) + 1
  end
  table.sort(list, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  return #list, list[1], counts[list[1]]
end

-- accounts: classes by metatables, a virtual call for each posting
local Account = {}
Account.__index = Account
function Account.new(rate) return setmetatable({ balance = 0, rate = rate }, Account) end
function Account:post(amount) self.balance = self.balance + amount end
local Saving = setmetatable({}, { __index = Account })
Saving.__index = Saving
function Saving.new(rate) return setmetatable({ balance = 0, rate = rate }, Saving) end
function Saving:post(amount)
  if amount < 0 and self.balance + amount < 0 then return end
  Account.post(self, amount + amount * self.rate // 100)
end
local function accounts(postings)
  local all = {}
  for i = 1, 64 do all[i] = (i % 3 == 0 and Saving or Account).new(i % 7) end
  for _ = 1, postings do all[1 + random(64)]:post(random(200) - 80) end
  local sum = 0
  for _, account in ipairs(all) do sum = sum + account.balance end
  return sum
end

-- permutations: a coroutine that yields each, checked for adjacent fixed points
local function permutations(n)
  local items = {}
  for i = 1, n do items[i] = i end
  local function generate(k)
    if k == 0 then
      coroutine.yield(items)
      return
    end
    for i = 1, k do
      items[i], items[k] = items[k], items[i]
      generate(k - 1)
      items[i], items[k] = items[k], items[i]
    end
  end
  local found = 0
  for p in coroutine.wrap(function() generate(n) end) do
    local ok = true
    for i = 1, n do if p[i] == i then ok = false break end end
    if ok then found = found + 1 end
  end
  return found
end

-- n-body: floating point in tables
local function bodies(steps)
  local list = {}
  for i = 1, 5 do
    list[i] = { x = i * 1.5, y = i * i * 0.25, vx = 0.0, vy = 0.1 * i, mass = 1.0 / i }
  end
  for _ = 1, steps do
    for i = 1, #list do
      local a = list[i]
      for j = i + 1, #list do
        local b = list[j]
        local dx, dy = a.x - b.x, a.y - b.y
        local pull = 0.001 / (dx * dx + dy * dy + 0.01) ^ 1.5
        a.vx, a.vy = a.vx - dx * b.mass * pull, a.vy - dy * b.mass * pull
        b.vx, b.vy = b.vx + dx * a.mass * pull, b.vy + dy * a.mass * pull
      end
    end
    for _, b in ipairs(list) do b.x, b.y = b.x + b.vx * 0.001, b.y + b.vy * 0.001 end
  end
  return string.format("%.6f %.6f", list[1].x, list[5].y)
end

local size = SIZE -- scripts/workloads/lua
print("words", words(2 * size))
print("accounts", accounts(10 * size))
print("permutations", permutations(size >= 3000 and 7 or size >= 300 and 6 or 4))
print("bodies", bodies(size))
