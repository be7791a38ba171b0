// Addresses of an edited program as addresses of the program that it was made from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace strobe::instrument {

/// Bytes that follow one another in both programs.
struct CodeRange {
  uint64_t edited = 0, original = 0;
  uint64_t bytes = 0;         // in the edited program
  bool instrumented = false;  // in the instrumented copy
};
struct DataRange {
  uint64_t edited = 0, original = 0;
  uint64_t bytes = 0;
};

class AddressMap {
 public:
  AddressMap() = default;
  /// In any order. Ranges of code that continue one another become one.
  AddressMap(std::vector<CodeRange> code, std::vector<DataRange> data);

  const std::vector<CodeRange>& code() const { return code_; }  // by `edited`
  const std::vector<DataRange>& data() const { return data_; }

  /// The range of an instruction; null for one that was put in.
  const CodeRange* code_at(uint64_t edited) const;
  /// The instruction of the original; nothing for one that was put in.
  std::optional<uint64_t> original_code(uint64_t edited) const;
  /// The original's instruction in the edited program: in one copy or in both, that of the checking
  /// copy first.
  std::vector<uint64_t> edited_code(uint64_t original) const;
  /// A byte of static data. What no object has, such as the linker's own tables, keeps its distance
  /// to the data before it; what lies before all data is as it is.
  uint64_t original_data(uint64_t edited) const;

 private:
  std::vector<CodeRange> code_;
  std::vector<DataRange> data_;
};

}  // namespace strobe::instrument
