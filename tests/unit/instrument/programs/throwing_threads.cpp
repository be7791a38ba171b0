// Threads that throw through frames with destructors, catch, throw again and hand on exceptions.
#include <cstdio>
#include <exception>
#include <future>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Depth {
  explicit Depth(long* counter) : counter_(counter) { ++*counter_; }
  ~Depth() { --*counter_; }
  long* counter_;
};

long descend(int depth, long* counter) {
  const Depth here(counter);
  const std::vector<std::string> names(static_cast<size_t>(depth % 3 + 1),
                                       "a name that is not short enough");
  if (depth % 11 == 10) throw std::out_of_range(names.front());
  if (depth % 7 == 6) throw depth;
  if (depth == 0) throw std::runtime_error("the end");
  return descend(depth - 1, counter) + static_cast<long>(names.size());
}

long work(long number) {
  long sum = 0, counter = 0;
  std::map<std::string, long> seen;
  for (int i = 0; i < 60; ++i) {
    try {
      try {
        sum += descend(static_cast<int>(number + i) % 17, &counter);
      } catch (int depth) {
        sum += depth * 3;
        ++seen[std::to_string(depth)];
        if (depth % 2 == 0) throw std::logic_error("again");
      }
    } catch (const std::out_of_range& error) {
      ++seen[error.what()];
    } catch (const std::exception& error) {
      ++seen[error.what()];
    }
    if (counter != 0) return -1;
  }
  for (const auto& [name, count] : seen) sum = sum * 31 + count * static_cast<long>(name.size());
  return sum;
}

}  // namespace

int main() {
  std::vector<std::future<long>> results;
  for (long i = 0; i < 4; ++i) {
    results.push_back(std::async(std::launch::async, [i] {
      const long sum = work(i);
      if (i == 3) throw std::runtime_error(std::to_string(sum));
      return sum;
    }));
  }
  for (std::future<long>& result : results) {
    try {
      std::printf("%ld\n", result.get());
    } catch (const std::exception& error) {
      std::printf("thrown: %s\n", error.what());
    }
  }
  return 0;
}
