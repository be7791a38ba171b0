#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "sw/answer/answer_error.h"
#include "sw/answer/readers/foreign_profile.h"
#include "sw/text/diagnostic.h"

namespace strobe::answer {
namespace {

constexpr size_t kDeepest = 64;       // functions that are inlined in one another
constexpr size_t kLongest = 1 << 16;  // their names together

constexpr std::string_view kCalls = " @ ";  // between the functions of a context

/// Whether a profile is context-sensitive: a name in brackets alone may be that of a function.
bool has_contexts(std::string_view text) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && line[0] == '[' && line.find(kCalls) != line.npos) return true;
    begin = end + 1;
  }
  return false;
}

class LlvmReader {
 public:
  /// @param contexts  each head is a context in brackets, "[main:3 @ foo]"
  LlvmReader(const std::string& name, bool contexts) : name_(name), contexts_(contexts) {
    profile_.events = "samples";
  }

  void line(std::string_view text) {
    ++number_;
    text_ = text;
    try {
      read(text);
    } catch (const TooLarge& error) {
      throw AnswerError(fmt::format("{}:{}: too large: {}", name_, number_, error.what()));
    }
  }

  ForeignProfile profile() {
    if (profile_.functions.empty()) {
      throw AnswerError(fmt::format(
          "{} has no samples: expected an LLVM sample profile in text form, got {} lines without "
          "one; write it with llvm-profdata merge --sample --text",
          name_, number_));
    }
    return std::move(profile_);
  }

 private:
  void read(std::string_view text) {
    if (text.empty() || text.front() == '#') return;
    const size_t depth = text.find_first_not_of(' ');
    if (depth == std::string_view::npos) fault("a function or a line");
    if (text[depth] == '!' && depth > 0) return;  // a checksum or attributes
    if (depth == 0) return head(text);
    if (depth > path_.size() || depth > kDeepest) {
      fault(fmt::format("at most {} blanks", std::min(path_.size(), kDeepest)));
    }
    path_.resize(depth);
    body(text.substr(depth));
  }

  /// NAME:TOTAL:HEAD
  void head(std::string_view text) {
    const size_t last = text.rfind(':');
    const size_t first = last == 0 || last == text.npos ? text.npos : text.rfind(':', last - 1);
    if (first == text.npos || first == 0) fault("NAME:TOTAL:ENTRIES");
    number(text.substr(first + 1, last - first - 1));
    number(text.substr(last + 1));
    path_ = {std::string(contexts_ ? callee(text.substr(0, first)) : text.substr(0, first))};
  }

  /// "foo" of "[main:3 @ foo]": the profile is flattened, as llvm-profdata calls it, so a
  /// function's counts in all contexts are added.
  std::string_view callee(std::string_view context) const {
    if (context.front() != '[' || context.back() != ']')
      fault("[CALLER:OFFSET @ NAME]:TOTAL:ENTRIES");
    context = context.substr(1, context.size() - 2);
    const size_t at = context.rfind(kCalls);
    const std::string_view name = at == context.npos ? context : context.substr(at + kCalls.size());
    if (name.empty()) fault("the name of a function after its context");
    return name;
  }

  /// OFFSET[.DISCRIMINATOR]: COUNT CALLEE:CALLS... or, for an inlined function, NAME:TOTAL
  void body(std::string_view text) {
    const size_t colon = text.find(": ");
    if (colon == text.npos) fault("OFFSET: COUNT");
    const std::string_view place = text.substr(0, colon), rest = text.substr(colon + 2);
    const size_t dot = place.find('.');
    number(place.substr(0, dot));
    if (dot != place.npos) number(place.substr(dot + 1));
    const std::string here = path_.back() + '>' + std::string(place);
    if (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
      const uint64_t count = number(rest.substr(0, rest.find(' ')));
      profile_.add(&ForeignProfile::lines, here, count);
      profile_.add(&ForeignProfile::functions, path_[0], count);
      return;
    }
    const size_t last = rest.rfind(':');
    if (last == rest.npos || last == 0) fault("COUNT or FUNCTION:TOTAL after the offset");
    number(rest.substr(last + 1));
    if (here.size() + last > kLongest)
      fault("inlined functions with names of at most 64 KiB together");
    path_.push_back(here + ':' + std::string(rest.substr(0, last)));
  }

  uint64_t number(std::string_view text) const {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) fault("a number");
    return number;
  }

  [[noreturn]] void fault(const std::string& expected) const {
    throw AnswerError(
        fmt::format("{}:{}: not an LLVM sample profile in text form: expected {}, got {}; write it "
                    "with llvm-profdata merge --sample --text",
                    name_, number_, expected, text::in_quotes(std::string(text_.substr(0, 80)))));
  }

  const std::string& name_;
  const bool contexts_;
  uint64_t number_ = 0;
  std::string_view text_;
  std::vector<std::string> path_;  // the inlined functions that are open
  ForeignProfile profile_;
};

}  // namespace

ForeignProfile read_llvm(const std::string& text, const std::string& name) {
  LlvmReader reader(name, has_contexts(text));
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    reader.line(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
  return reader.profile();
}

}  // namespace strobe::answer
