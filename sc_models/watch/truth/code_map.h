// A value for each instruction of a program, by its address: a table a page of code that is
// executed, so an access costs a shift and an index while execution stays in a page.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace strobe::truth {

/// Pages that a map has room for: 8 MiB of executed code.
inline constexpr size_t kMostCodePages = 2048;

template <class Value>
class CodeMap {
 public:
  /// @param most_pages  of 4096 bytes; instructions on others share beyond()
  explicit CodeMap(size_t most_pages = kMostCodePages) : most_pages_(most_pages) {}

  /// The instruction's value; a new one is Value().
  Value& operator[](uint64_t pc) {
    if (pc / kPageBytes != number_ || page_ == nullptr) select(pc / kPageBytes);
    return page_ == nullptr ? beyond_ : (*page_)[pc % kPageBytes / 2];
  }
  /// The same without making a new one: nullptr if its page has none.
  const Value* find(uint64_t pc) const {
    const auto page = pages_.find(pc / kPageBytes);
    return page == pages_.end() ? nullptr : &(*page->second)[pc % kPageBytes / 2];
  }
  const Value& beyond() const { return beyond_; }

  /// Calls visit(pc, value) for every place of the pages, in the order of addresses.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [number, page] : pages_) {
      for (size_t i = 0; i < page->size(); ++i) visit(number * kPageBytes + 2 * i, (*page)[i]);
    }
  }

 private:
  static constexpr uint64_t kPageBytes = 4096;
  using Page = std::array<Value, kPageBytes / 2>;

  void select(uint64_t number) {
    number_ = number;
    const auto known = pages_.find(number);
    if (known != pages_.end()) {
      page_ = known->second.get();
    } else if (pages_.size() < most_pages_) {
      page_ = pages_.emplace(number, std::make_unique<Page>()).first->second.get();
    } else {
      page_ = nullptr;
    }
  }

  const size_t most_pages_;
  std::map<uint64_t, std::unique_ptr<Page>> pages_;  // by address / kPageBytes
  uint64_t number_ = 0;                              // of page_
  Page* page_ = nullptr;                             // the last one; null: it found no room
  Value beyond_ = Value();
};

}  // namespace strobe::truth
