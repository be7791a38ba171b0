// JSON: parses a generated document into a tree, transforms it (filter, group, sort), writes it
// back with and without indentation, and parses what it wrote; both trees must be equal.
//
// The file is long because a workload is one file, so that its profile is read beside one text.
#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "workload.h"

namespace {

struct Value;
using Array = std::vector<Value>;
using Object = std::vector<std::pair<std::string, Value>>;

enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

struct Value {
  Kind kind = Kind::kNull;
  bool boolean = false;
  double number = 0;
  std::string string;
  Array array;
  Object object;

  const Value* find(const std::string& key) const {
    for (const auto& member : object) {
      if (member.first == key) return &member.second;
    }
    return nullptr;
  }
};

bool operator==(const Value& a, const Value& b) {
  return a.kind == b.kind && a.boolean == b.boolean && a.number == b.number &&
         a.string == b.string && a.array == b.array && a.object == b.object;
}

class Parser {
 public:
  explicit Parser(const std::string& text) : at_(text.data()), end_(at_ + text.size()) {}

  Value document() {
    Value value = parse();
    skip_blanks();
    if (at_ != end_) fail("text after the document");
    return value;
  }

 private:
  [[noreturn]] static void fail(const char* what) { throw std::runtime_error(what); }

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }

  bool accept(char c) {
    skip_blanks();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail("a character is missing");
  }

  void expect_word(const char* word) {
    for (; *word != 0; ++word, ++at_) {
      if (at_ == end_ || *at_ != *word) fail("an unknown word");
    }
  }

  Value parse() {
    skip_blanks();
    if (at_ == end_) fail("the text ends early");
    Value value;
    switch (*at_) {
      case '{':
        value.kind = Kind::kObject;
        parse_object(value.object);
        break;
      case '[':
        value.kind = Kind::kArray;
        parse_array(value.array);
        break;
      case '"':
        value.kind = Kind::kString;
        value.string = parse_string();
        break;
      case 't':
      case 'f':
        value.kind = Kind::kBool;
        value.boolean = *at_ == 't';
        expect_word(value.boolean ? "true" : "false");
        break;
      case 'n':
        expect_word("null");
        break;
      default:
        value.kind = Kind::kNumber;
        value.number = parse_number();
    }
    return value;
  }

  void parse_object(Object& object) {
    expect('{');
    if (accept('}')) return;
    do {
      skip_blanks();
      std::string key = parse_string();
      expect(':');
      object.emplace_back(std::move(key), parse());
    } while (accept(','));
    expect('}');
  }

  void parse_array(Array& array) {
    expect('[');
    if (accept(']')) return;
    do array.push_back(parse());
    while (accept(','));
    expect(']');
  }

  unsigned parse_hex() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      if (at_ == end_) fail("a short \\u escape");
      char c = *at_++;
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) fail("a bad \\u escape");
      code = code * 16 + static_cast<unsigned>(digit);
    }
    return code;
  }

  static void append_utf8(std::string& out, unsigned code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | code >> 6);
      out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
      out += static_cast<char>(0xe0 | code >> 12);
      out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
      out += static_cast<char>(0x80 | (code & 0x3f));
    }
  }

  std::string parse_string() {
    if (at_ == end_ || *at_ != '"') fail("a string is missing");
    ++at_;
    std::string out;
    for (;;) {
      if (at_ == end_) fail("a string does not end");
      char c = *at_++;
      if (c == '"') return out;
      if (c != '\\') {
        out += c;
        continue;
      }
      if (at_ == end_) fail("a string does not end");
      switch (char escape = *at_++) {
        case 'n':
          out += '\n';
          break;
        case 't':
          out += '\t';
          break;
        case 'u':
          append_utf8(out, parse_hex());
          break;
        default:
          out += escape;
      }
    }
  }

  double parse_number() {
    bool negative = at_ != end_ && *at_ == '-';
    if (negative) ++at_;
    double number = 0;
    const char* start = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') number = number * 10 + (*at_++ - '0');
    if (at_ == start) fail("a value is missing");
    if (at_ != end_ && *at_ == '.') {
      double scale = 1;
      for (++at_; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_) {
        number = number * 10 + (*at_ - '0');
        scale *= 10;
      }
      number /= scale;
    }
    return negative ? -number : number;
  }

  const char* at_;
  const char* end_;
};

class Writer {
 public:
  explicit Writer(bool indented) : indented_(indented) {}

  std::string write(const Value& value) {
    out_.clear();
    put(value, 0);
    return std::move(out_);
  }

 private:
  void line(int depth) {
    if (!indented_) return;
    out_ += '\n';
    out_.append(static_cast<size_t>(depth) * 2, ' ');
  }

  void put_string(const std::string& s) {
    out_ += '"';
    for (char c : s) {
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (c == '\n') {
        out_ += "\\n";
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char escape[8];
        snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
        out_ += escape;
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  // Writes at most two decimals, because the generator makes no more.
  void put_number(double number) {
    auto hundredths = static_cast<int64_t>(number * 100 + (number < 0 ? -0.5 : 0.5));
    if (hundredths < 0) {
      out_ += '-';
      hundredths = -hundredths;
    }
    out_ += std::to_string(hundredths / 100);
    int64_t rest = hundredths % 100;
    if (rest == 0) return;
    out_ += '.';
    out_ += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) out_ += static_cast<char>('0' + rest % 10);
  }

  void put(const Value& value, int depth) {
    switch (value.kind) {
      case Kind::kNull:
        out_ += "null";
        break;
      case Kind::kBool:
        out_ += value.boolean ? "true" : "false";
        break;
      case Kind::kNumber:
        put_number(value.number);
        break;
      case Kind::kString:
        put_string(value.string);
        break;
      case Kind::kArray:
        out_ += '[';
        for (size_t i = 0; i < value.array.size(); ++i) {
          if (i > 0) out_ += ',';
          line(depth + 1);
          put(value.array[i], depth + 1);
        }
        line(depth);
        out_ += ']';
        break;
      case Kind::kObject:
        out_ += '{';
        for (size_t i = 0; i < value.object.size(); ++i) {
          if (i > 0) out_ += ',';
          line(depth + 1);
          put_string(value.object[i].first);
          out_ += indented_ ? ": " : ":";
          put(value.object[i].second, depth + 1);
        }
        line(depth);
        out_ += '}';
    }
  }

  bool indented_;
  std::string out_;
};

std::string generate(uint32_t people, uint64_t* random) {
  static const char* const names[] = {"Ada",   "Alan", "Barbara", "Edsger",
                                      "Grace", "Ken",  "Niklaus"};
  static const char* const cities[] = {"Oslo", "Z\\u00fcrich", "Porto", "\\\"Graz\\\"", "Lviv"};
  std::string out = "{\"version\": 3,\n \"people\": [";
  for (uint32_t i = 0; i < people; ++i) {
    if (i > 0) out += ",";
    out += "\n  {\"id\": " + std::to_string(i) + ", \"name\": \"" + names[random_below(random, 7)] +
           " " + std::to_string(random_below(random, 1000)) + "\", \"city\": \"" +
           cities[random_below(random, 5)] + "\"";
    if (random_below(random, 3) != 0) {
      out += ", \"balance\": " + std::string(random_below(random, 4) == 0 ? "-" : "") +
             std::to_string(random_below(random, 100000)) + "." +
             std::to_string(random_below(random, 90) + 10);
    }
    out += random_below(random, 2) == 0 ? ", \"active\": true" : ", \"active\": false";
    out += ", \"tags\": [";
    for (uint32_t t = random_below(random, 5), k = 0; k < t; ++k) {
      out += (k > 0 ? ", \"" : "\"") + std::string(1 + random_below(random, 8), 't') + "\\n\"";
    }
    out += random_below(random, 10) == 0 ? "], \"manager\": null}" : "]}";
  }
  return out + "\n]}";
}

Value text_value(const std::string& text) {
  Value value;
  value.kind = Kind::kString;
  value.string = text;
  return value;
}

Value number_value(double number) {
  Value value;
  value.kind = Kind::kNumber;
  value.number = number;
  return value;
}

// Active people with a balance, by city: their number, their total, and names sorted by balance.
Value summarize(const Value& document) {
  std::map<std::string, std::vector<const Value*>> by_city;
  for (const Value& person : document.find("people")->array) {
    if (!person.find("active")->boolean || person.find("balance") == nullptr) continue;
    by_city[person.find("city")->string].push_back(&person);
  }
  Value result;
  result.kind = Kind::kObject;
  for (auto& [city, people] : by_city) {
    std::stable_sort(people.begin(), people.end(), [](const Value* a, const Value* b) {
      return a->find("balance")->number > b->find("balance")->number;
    });
    Value group, names;
    group.kind = Kind::kObject;
    names.kind = Kind::kArray;
    double total = 0;
    for (const Value* person : people) {
      total += person->find("balance")->number;
      names.array.push_back(text_value(person->find("name")->string));
    }
    group.object.emplace_back("people", number_value(static_cast<double>(people.size())));
    group.object.emplace_back("total", number_value(total));
    group.object.emplace_back("names", std::move(names));
    result.object.emplace_back(city, std::move(group));
  }
  return result;
}

bool is_rejected(const std::string& text) {
  try {
    Parser(text).document();
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  static const uint32_t sizes[] = {20, 500, 5000};
  uint32_t people = sizes[workload_size(argc, argv)];
  uint64_t random = 6;
  std::string text = generate(people, &random);

  Value document = Parser(text).document();
  std::string compact = Writer(false).write(document);
  std::string indented = Writer(true).write(document);
  require(Parser(compact).document() == document, "the compact form says something else");
  require(Parser(indented).document() == document, "the indented form says something else");
  std::string summary = Writer(true).write(summarize(document));

  int rejected = 0;
  for (int i = 0; i < 3; ++i) {  // cut in the middle: an error, and everything is freed
    rejected += is_rejected(
        compact.substr(0, 1 + random_below(&random, static_cast<uint32_t>(compact.size()) - 1)));
  }
  require(rejected == 3, "a document that was cut is accepted");

  printf("json: %u people, %zu bytes in, %zu compact, %zu indented\n", people, text.size(),
         compact.size(), indented.size());
  printf("summary: %zu bytes, %.60s...\n", summary.size(),
         Writer(false).write(summarize(document)).c_str());
  uint64_t sum = checksum_bytes(CHECKSUM_START, compact.data(), compact.size());
  printf("checksum %016llx\n",
         static_cast<unsigned long long>(checksum_bytes(sum, summary.data(), summary.size())));
  return 0;
}
