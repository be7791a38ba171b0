// One declaration a key, many uses: `declare()` (declarations.h) walks over the keys of a struct
// and tells a visitor each one's name, type, unit, range and meaning. Reading, the effective
// configuration, the JSON schema and the documentation page are visitors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace strobe::config {

struct Key {
  std::string name;
  std::string unit;         // "" when there is none
  std::string description;  // one sentence
  bool required = false;
  bool rtl = false;          // a parameter of the RTL: a new value is a new Verilated point
  bool applies = true;       // false: the key has no meaning with what was given before it
  std::string applies_when;  // "only for ...", said when it does not apply
  std::string same_keys_as;  // the path of another section that has the same keys

  Key(std::string name_, std::string unit_, std::string description_)
      : name(std::move(name_)), unit(std::move(unit_)), description(std::move(description_)) {}
  Key must() const;
  Key rtl_parameter() const;
  Key only(bool applies_now, const std::string& when) const;
  Key like(const std::string& section) const;
};

/// What a text is for.
enum class TextUse {
  kText,
  kTextOrNull,  // null is the empty text
  kPath,        // relative to the file that names it; or "build:x", "cache:x" (guest_files.h)
  kPathOrNull,
};

struct Range {
  uint64_t minimum, maximum;
};

/// The maximum of a number that has no limit of its own.
inline constexpr uint64_t kAny = ~uint64_t{0};

using Names = std::vector<std::string>;

class Visitor {
 public:
  virtual ~Visitor() = default;

  template <class T>
  void integer(const Key& key, T& value, Range range) {
    uint64_t wide = value;
    visit_integer(key, wide, range);
    value = static_cast<T>(wide);
  }
  /// An enum whose enumerators are 0, 1, ... in the order of `names`.
  template <class E>
  void choice(const Key& key, E& value, const Names& names) {
    std::string name = names[static_cast<size_t>(value)];
    visit_choice(key, name, names);
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) value = static_cast<E>(i);
    }
  }
  void choice(const Key& key, std::string& value, const Names& names) {
    visit_choice(key, value, names);
  }
  template <class T>
  void list(const Key& key, std::vector<T>& items,
            const std::function<void(Visitor&, T&)>& declare_item) {
    visit_list(
        key, items.size(), [&](size_t size) { items.resize(size); },
        [&](Visitor& visitor, size_t i) { declare_item(visitor, items[i]); });
  }

  virtual void real(const Key& key, double& value, double minimum, double maximum) = 0;
  virtual void flag(const Key& key, bool& value) = 0;
  virtual void text(const Key& key, std::string& value, TextUse use) = 0;
  /// A list of texts; `names` non-empty: each is one of them.
  virtual void texts(const Key& key, std::vector<std::string>& values, TextUse use,
                     const Names& names) = 0;
  /// [lowest, highest]
  virtual void interval(const Key& key, uint64_t& lowest, uint64_t& highest) = 0;
  virtual void section(const Key& key, const std::function<void(Visitor&)>& declare_keys) = 0;

 protected:
  virtual void visit_integer(const Key& key, uint64_t& value, Range range) = 0;
  virtual void visit_choice(const Key& key, std::string& value, const Names& names) = 0;
  /// `resize` makes room (used by readers and by those who show one default item).
  virtual void visit_list(const Key& key, size_t size, const std::function<void(size_t)>& resize,
                          const std::function<void(Visitor&, size_t)>& declare_item) = 0;
};

}  // namespace strobe::config
