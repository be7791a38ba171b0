// The C++ library: exceptions, streams, containers, regular expressions, run-time types.
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Shape {
  virtual ~Shape() { std::cout << "gone\n"; }
  virtual double area() const = 0;
};
struct Square : Shape {
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
  double side;
};

static int depth(int n) {
  std::string keep(static_cast<size_t>(n), 'x');  // must be unwound
  if (n == 0) throw std::out_of_range("bottom");
  return depth(n - 1) + static_cast<int>(keep.size());
}

int main() {
  try {
    depth(50);
  } catch (const std::exception& error) {
    std::cout << "caught " << error.what() << '\n';
  }
  try {
    std::vector<int>().at(3);
  } catch (const std::out_of_range&) {
    std::cout << "caught at()\n";
  }
  std::map<std::string, int> words;
  std::istringstream text("the cat the dog the end");
  for (std::string word; text >> word;) ++words[word];
  for (const auto& [word, count] : words) std::cout << word << '=' << count << ' ';
  std::cout << std::setprecision(12) << std::scientific << 2.0 / 3 << std::defaultfloat << '\n';

  std::smatch match;
  const std::string date = "on 2005-03-19 it";
  if (std::regex_search(date, match, std::regex("(\\d{4})-(\\d\\d)-(\\d\\d)"))) {
    std::cout << match[3] << '.' << match[2] << '.' << match[1] << '\n';
  }
  std::unique_ptr<Shape> shape = std::make_unique<Square>(1.5);
  std::cout << shape->area() << ' ' << (dynamic_cast<Square*>(shape.get()) != nullptr) << '\n';
  shape.reset();

  std::mt19937_64 random(5);
  std::vector<uint64_t> numbers(1000);
  std::generate(numbers.begin(), numbers.end(), random);
  std::sort(numbers.begin(), numbers.end());
  std::cout << numbers.front() << ' ' << numbers.back() << '\n';

  std::ofstream("stream.txt") << "line one\nline two\n";
  std::ifstream back("stream.txt");
  for (std::string line; std::getline(back, line);) std::cout << line.size() << ' ' << line << '\n';
  std::cout << std::ifstream("/etc/passwd").is_open() << '\n';
  std::cerr << "to standard error" << std::endl;
  throw std::runtime_error("nobody catches this");
}
