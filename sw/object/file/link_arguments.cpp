#include "sw/object/file/link_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "sw/confine/confined_tool.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {
namespace {

namespace fs = std::filesystem;
using Use = LinkArgument::Use;
using Words = std::set<std::string_view>;

constexpr size_t kLongestWord = 4096;  // the longest path of Linux

/// The beginning of an argument whose rest is one word, joined to it or, if `apart`, also the next.
struct Form {
  std::string_view begin;
  bool apart = false;
  bool joined = true;
  Use use = Use::kOption;
  bool path = false;  // the word may be any path
};

/// The words of a constant.
Words words_in(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    words.insert(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// What a compiler driver takes.
const Words kDriverWords = words_in(
    "-static -no-pie -fno-pie -fno-PIE -pthread -nostdlib -nostartfiles -nodefaultlibs "
    "-static-libgcc -static-libstdc++ -s -pipe -fopenmp -fno-lto -mrelax -mno-relax "
    "-mabi=lp64 -mabi=lp64f -mabi=lp64d -fuse-ld=bfd -fuse-ld=lld -O -O0 -O1 -O2 -O3 -Os "
    "-Og -Oz -Ofast -g -g0 -g1 -g2 -g3 -ggdb -ggdb3 -gdwarf-4 -gdwarf-5");
/// Each also as -fno-...: a build passes them to every compilation and to the link, too.
const Words kCodeGeneration = words_in(
    "asynchronous-unwind-tables builtin common data-sections exceptions fast-math "
    "function-sections inline omit-frame-pointer reorder-blocks-and-partition rtti "
    "stack-protector stack-protector-strong strict-aliasing unroll-loops unwind-tables "
    "wrapv");
const std::vector<Form> kDriverForms = {{"-march=rv64"},
                                        {"-mtune="},
                                        {"-mcpu="},
                                        {"-mcmodel="},
                                        {"-std="},
                                        {"-W"},
                                        {"-D"},
                                        {"--target=riscv64"},
                                        {"-u", true, false},
                                        {"-e", true, false},
                                        {"-z", true, false},
                                        {"-l", true, true, Use::kLibrary},
                                        {"-L", true, true, Use::kLibrary, true},
                                        {"-o", true, false, Use::kOutput, true}};

/// What a linker takes.
const Words kLinkerWords = words_in(
    "--gc-sections --no-gc-sections --start-group --end-group -( -) --whole-archive "
    "--no-whole-archive --as-needed --no-as-needed --push-state --pop-state --relax "
    "--no-relax --emit-relocs -q --eh-frame-hdr --fatal-warnings --no-fatal-warnings "
    "-static -Bstatic -nostdlib -s -S -x -X --strip-all --strip-debug --discard-all "
    "--discard-locals --no-undefined --allow-multiple-definition --no-dynamic-linker "
    "--sort-common --build-id -O0 -O1 -O2 --no-warn-rwx-segments --no-export-dynamic "
    "-melf64lriscv");
const std::vector<Form> kLinkerForms = {{"--build-id="},
                                        {"--hash-style="},
                                        {"--sort-section="},
                                        {"--defsym="},
                                        {"--wrap="},
                                        {"--undefined="},
                                        {"--entry="},
                                        {"--orphan-handling="},
                                        {"--icf="},
                                        {"-Ttext=", false},
                                        {"-Ttext-segment="},
                                        {"--image-base="},
                                        {"--defsym", true, false},
                                        {"--wrap", true, false},
                                        {"-Ttext", true, false},
                                        {"-u", true, false},
                                        {"-e", true, false},
                                        {"-z", true, false},
                                        {"-l", true, true, Use::kLibrary},
                                        {"-L", true, true, Use::kLibrary, true},
                                        {"-o", true, false, Use::kOutput, true}};

/// Why some arguments are refused.
const std::vector<std::pair<std::string_view, std::string_view>> kDangers = {
    {"@", "a file of more arguments"},
    {"-T", "a linker script"},
    {"--script", "a linker script"},
    {"--default-script", "a linker script"},
    {"--version-script", "a linker script"},
    {"--dynamic-list", "a linker script"},
    {"-plugin", "a plugin, whose code would run"},
    {"--plugin", "a plugin, whose code would run"},
    {"-fplugin", "a plugin, whose code would run"},
    {"-specs", "a file of specs, which starts other programs"},
    {"--specs", "a file of specs, which starts other programs"},
    {"-B", "a folder of other programs"},
    {"--sysroot", "a folder of other programs"},
    {"--gcc-toolchain", "a folder of other programs"},
    {"-fuse-ld", "another linker"},
    {"-wrapper", "a program to start"},
    {"-flto", "a compilation at the link"},
    {"-Map", "another output"},
    {"--Map", "another output"},
    {"--dependency-file", "another output"},
    {"-save-temps", "another output"},
    {"-shared", "another kind of program"},
    {"-pie", "another kind of program"},
    {"-static-pie", "another kind of program"}};

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

/// A name, a number or a definition.
bool is_word(std::string_view text) {
  constexpr std::string_view kOther = "_.+-=$*";
  return !text.empty() && text[0] != '-' &&
         std::all_of(text.begin(), text.end(), [&](unsigned char c) {
           return std::isalnum(c) != 0 || kOther.find(static_cast<char>(c)) != kOther.npos;
         });
}

/// What follows -W, -march=rv64 and the like may begin with '-' or be empty.
bool is_rest(std::string_view text) { return text.empty() || is_word("x" + std::string(text)); }

/// Nothing that a linker takes for an option, a file of arguments or a place below its sysroot.
bool is_path(std::string_view text) {
  return !text.empty() && std::string_view("-@=$").find(text[0]) == std::string_view::npos;
}

class Parser {
 public:
  Parser(const std::vector<std::string>& words, fs::path file) : file_(std::move(file)) {
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i].size() > kLongestWord) refuse({words[i].substr(0, 40) + "...", i + 1, false});
      if (words[i].find('\0') != std::string::npos) {
        throw ObjectError(
            fmt::format("{}:{}: expected text, got a zero byte; write the record again",
                        file_.string(), i + 1));
      }
      if (i > 0) take(words[i], i + 1);
    }
    if (!words.empty()) find_driver(words.front());
  }

  LinkCommand parse() {
    while (at_ < tokens_.size()) {
      command_.arguments.push_back(next());
      if (command_.arguments.back().words.front() == "-fuse-ld=lld") command_.is_lld = true;
    }
    return std::move(command_);
  }

 private:
  struct Token {
    std::string word;
    size_t line;
    bool linker;
  };

  /// Takes apart what a compiler driver hands on.
  void take(const std::string& word, size_t line) {
    const bool after_xlinker = !tokens_.empty() && tokens_.back().word == "-Xlinker";
    if (after_xlinker) {
      tokens_.back() = {word, line, true};
    } else if (begins(word, "-Wl,")) {
      std::istringstream parts(word.substr(4));
      for (std::string part; std::getline(parts, part, ',');) tokens_.push_back({part, line, true});
    } else {
      tokens_.push_back({word, line, false});
    }
  }

  void find_driver(const std::string& given) {
    static const std::regex kNames(
        "(riscv64-[a-z0-9_.-]+-)(gcc|g\\+\\+|cc|c\\+\\+|(ld|ld\\.bfd))(-[0-9.]+)?|"
        "(riscv64-[a-z0-9_.-]+-)?(clang(\\+\\+)?|(ld\\.lld))(-[0-9.]+)?");
    const std::string name = fs::path(given).filename().string();
    std::smatch match;
    if (name.size() > 100 || !std::regex_match(name, match, kNames)) {
      throw ObjectError(fmt::format(
          "{}:1: expected the name of a linker for RISC-V (riscv64-linux-gnu-gcc, another "
          "riscv64-...-gcc, -g++ or -ld, clang, clang++ or ld.lld), got '{}'; see "
          "docs/object-editing.md",
          file_.string(), given.substr(0, 100)));
    }
    command_.is_lld = match[8].matched;
    command_.is_linker = match[3].matched || command_.is_lld;
    command_.is_gcc = match[2].matched && !command_.is_linker;
    const fs::path folder = fs::path(given).parent_path();
    const bool known = folder.empty() || confine::is_tool_folder(folder);
    command_.driver = folder.empty() ? confine::find_tool(name) : fs::path();
    std::error_code error;
    if (known && !folder.empty() && fs::exists(given, error)) command_.driver = given;
    if (!command_.driver.empty()) return;
    throw ObjectError(
        known ? fmt::format("{}:1: the linker '{}' cannot be started: it is not in {}; install it "
                            "with scripts/setup",
                            file_.string(), given, confine::tool_path())
              : fmt::format("{}:1: expected a linker in {}, got '{}'; write its name alone, and "
                            "put a symbolic link to a toolchain that is elsewhere into the first "
                            "of these folders",
                            file_.string(), confine::tool_path(), given));
  }

  LinkArgument next() {
    const Token& token = tokens_[at_++];
    const bool linker = token.linker || command_.is_linker;
    const std::string& word = token.word;
    if (begins(word, "@")) refuse(token);
    if (!begins(word, "-")) {
      // A compiler driver would compile a file with another ending.
      const fs::path ending = fs::path(word).extension();
      if (!is_path(word) || (ending != ".o" && ending != ".a")) refuse(token);
      return {Use::kInput, token.linker, {word}};
    }
    if ((linker ? kLinkerWords : kDriverWords).count(word) != 0 ||
        (!linker && is_code_generation(word))) {
      return {Use::kOption, token.linker, {word}};
    }
    for (const Form& form : linker ? kLinkerForms : kDriverForms) {
      if (!begins(word, form.begin)) continue;
      const std::string_view rest = std::string_view(word).substr(form.begin.size());
      if (rest.empty() && form.apart) return with_next(form, token);
      if (form.joined && (form.path ? is_path(rest) : fits(form, rest))) {
        return {form.use, token.linker, {word}};
      }
    }
    refuse(token);
  }

  static bool is_code_generation(std::string_view word) {
    if (!begins(word, "-f")) return false;
    word.remove_prefix(begins(word, "-fno-") ? 5 : 2);
    return kCodeGeneration.count(word) != 0;
  }

  static bool fits(const Form& form, std::string_view rest) {
    return form.use == Use::kLibrary ? is_word(rest) : is_rest(rest);
  }

  LinkArgument with_next(const Form& form, const Token& token) {
    if (at_ == tokens_.size() || tokens_[at_].linker != token.linker) {
      throw ObjectError(
          fmt::format("{}:{}: expected a value after '{}', got none; write both into "
                      "the record, one a line",
                      file_.string(), token.line, token.word));
    }
    const Token& value = tokens_[at_++];
    if (form.path ? !is_path(value.word) : !is_word(value.word)) refuse(value);
    if (form.use == Use::kOutput) expect_own_folder(value);
    return {form.use, token.linker, {token.word, value.word}};
  }

  /// The output of the record is not used, but one elsewhere is a sign that more is meant.
  void expect_own_folder(const Token& value) const {
    const fs::path own = fs::absolute(file_).parent_path().lexically_normal();
    const fs::path output = (own / value.word).lexically_normal();
    if (output.parent_path() == own) return;
    throw ObjectError(fmt::format(
        "{}:{}: expected an output beside the record, in {}, got '{}'; remove -o: Strobe chooses "
        "where the program is written",
        file_.string(), value.line, own.string(), value.word));
  }

  [[noreturn]] void refuse(const Token& token) const {
    std::string_view why;
    for (const auto& [begin, danger] : kDangers) {
      if (why.empty() && begins(token.word, begin)) why = danger;
    }
    throw ObjectError(fmt::format(
        "{}:{}: expected an object (.o), an archive (.a), a library (-l, -L) or one of the options "
        "that docs/object-editing.md lists, got '{}'{}; remove it from the record",
        file_.string(), token.line, token.word, why.empty() ? "" : fmt::format(", {}", why)));
  }

  fs::path file_;
  LinkCommand command_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace

LinkCommand checked_command(const std::vector<std::string>& words, const fs::path& file) {
  return Parser(words, file).parse();
}

std::vector<fs::path> files_of(const LinkCommand& command, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const LinkArgument& argument : command.arguments) {
    const std::string& last = argument.words.back();
    if (argument.use == Use::kInput) files.push_back(folder / last);
    if (argument.use != Use::kLibrary || !begins(argument.words.front(), "-L")) continue;
    files.push_back(folder / (argument.words.size() > 1 ? last : last.substr(2)));
  }
  return files;
}

}  // namespace strobe::object
