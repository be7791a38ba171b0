// A result directory with any files in it is reported, or gets one sentence. The input is the text
// of some of its files, each after a line with its name; their checksums are made to fit, so that
// the readers look inside.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/answer/answer_error.h"
#include "sw/explore/store/record.h"
#include "sw/files/checksums.h"
#include "sw/report/report_error.h"
#include "sw/report/run_report.h"
#include "sw/text/json_text.h"

namespace {

namespace fs = std::filesystem;

/// What must hold for every input; a fault stops the fuzzer.
void require(bool good) {
  if (!good) std::abort();
}

constexpr std::array kFiles = {"result.json",    "config.yaml",   "manifest.json",
                               "progress.csv",   "profile.p.csv", "exhaustive.p.csv",
                               "shim.rates.csv", "truth.csv",     "intervals.csv",
                               "handlers.p.csv", "timer.csv"};

class Directory {
 public:
  Directory() {
    std::string name = (fs::temp_directory_path() / "report_fuzz.XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Directory() { fs::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  const fs::path& path() const { return path_; }

  void fill(const std::string& text) {
    for (const fs::directory_entry& entry : fs::directory_iterator(path_)) fs::remove(entry);
    for (size_t at = 0; at < text.size();) {
      const size_t line = text.find('\n', at);
      if (line == text.npos) break;
      const size_t end = std::min(text.find("\n%%", line), text.size());
      const std::string name = text.substr(at, line - at);
      for (const char* file : kFiles) {
        if (name == file) write(name, text.substr(line + 1, end - line - 1));
      }
      at = end + 3;
    }
    seal();
  }

 private:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

  /// Gives the manifest the checksums of the files, if it is one.
  void seal() {
    std::ifstream file(path_ / "manifest.json", std::ios::binary);
    nlohmann::json manifest =
        strobe::text::json_or_discarded(std::string(std::istreambuf_iterator<char>(file), {}));
    if (!manifest.is_object()) return;
    manifest["files"] = strobe::files::checksums_of(path_);
    write("manifest.json", strobe::text::json_text(manifest));
  }

  fs::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Directory directory;
  directory.fill(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const nlohmann::ordered_json run = strobe::report::read_run(directory.path());
    require(run.at("kind") == "run");
    strobe::report::run_csv(run);
  } catch (const strobe::report::ReportError& error) {
    require(error.what()[0] != '\0');
  } catch (const strobe::answer::AnswerError& error) {
    require(error.what()[0] != '\0');
  } catch (const strobe::explore::FolderError& error) {
    require(error.what()[0] != '\0');
  }
  return 0;
}
