// Exceptions through several frames: cleanup, catch by type, rethrow, catch of everything; with
// templates and inline functions, whose sections are groups.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline, noclone))

namespace {

struct Guard {
  explicit Guard(const char* the_name) : name(the_name) { std::printf("enter %s\n", name); }
  NOINLINE ~Guard() { std::printf("leave %s\n", name); }
  const char* name;
};

struct Custom {
  int value;
};

}  // namespace

template <typename T>
NOINLINE T checked(T value, T limit) {
  const Guard guard("checked");
  if (value > limit) throw std::out_of_range("above the limit");
  return value * 2;
}

inline NOINLINE int thrower(int kind) {
  const Guard guard("thrower");
  switch (kind) {
    case 0:
      throw 5;
    case 1:
      throw std::runtime_error("one");
    case 2:
      throw Custom{22};
    case 3:
      throw std::string("text");
    case 4:
      throw 4.5;
    case 5:
      return checked(10, 3);
    case 6:
      return checked(1, 3);
    case 7:
      throw 'c';
    default:
      return kind;
  }
}

NOINLINE int middle(int kind) {
  const Guard outer("outer");
  std::vector<std::string> kept = {"a string that is too long for the object itself", "b"};
  try {
    const Guard inner("inner");
    return thrower(kind) + static_cast<int>(kept.size());
  } catch (const Custom& custom) {
    std::printf("custom %d\n", custom.value);
    throw;
  } catch (double value) {
    std::printf("double %.1f\n", value);
    throw Custom{static_cast<int>(value)};
  }
}

NOINLINE int top(int kind) {
  try {
    return middle(kind);
  } catch (const std::out_of_range& error) {
    std::printf("out of range: %s\n", error.what());
    return -1;
  } catch (const std::exception& error) {
    std::printf("exception: %s\n", error.what());
    return -2;
  } catch (int value) {
    std::printf("int %d\n", value);
    return -3;
  } catch (Custom& custom) {
    std::printf("custom at the top: %d\n", custom.value);
    return -4;
  } catch (...) {
    std::printf("something else\n");
    return -5;
  }
}

int main() {
  int sum = 0;
  for (int kind = 0; kind < 10; ++kind) {
    const int result = top(kind);
    std::printf("%d: %d\n", kind, result);
    sum += result;
  }
  return sum + 100;
}
