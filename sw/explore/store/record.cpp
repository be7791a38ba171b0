#include "sw/explore/store/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include "sw/files/advice.h"
#include "sw/files/regular_file.h"
#include "sw/files/temporary.h"
#include "sw/text/json_text.h"

namespace strobe::explore {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string hex(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

[[noreturn]] void fail(const std::string& what, const fs::path& file, int reason) {
  throw FolderError(
      fmt::format("cannot {} {}: {}; {}, and repeat the command: every complete run is kept", what,
                  file.string(), std::strerror(reason), files::advice_for(reason)));
}

std::string checksum_of(const json& document) { return hash_text(text::json_text(document)); }

void check_sum(json document) {
  const std::string expected = document.at("checksum").get<std::string>();
  document.erase("checksum");
  const std::string got = checksum_of(document);
  if (expected == got) return;
  throw std::runtime_error(fmt::format("expected the checksum {}, got {}", expected, got));
}

}  // namespace

void to_json(json& out, const RunRecord& record) {
  json points = json::array();
  for (const PointRecord& point : record.points) {
    points.push_back({{"key", point.key},
                      {"label", point.label},
                      {"workload", point.workload},
                      {"seed", point.seed},
                      {"budget", point.budget ? json(*point.budget) : json()},
                      {"settings", point.settings},
                      {"profilers", point.observed.profilers},
                      {"names", point.observed.names}});
  }
  out = {{"id", record.id},
         {"kind", record.kind},
         {"command", record.command},
         {"inputs", record.inputs},
         {"configuration", record.configuration},
         {"points", points}};
  out["checksum"] = checksum_of(out);
}

void from_json(const json& in, RunRecord& record) {
  check_sum(in);
  in.at("id").get_to(record.id);
  in.at("kind").get_to(record.kind);
  in.at("command").get_to(record.command);
  record.inputs = in.at("inputs");
  record.configuration = in.value("configuration", "");
  for (const json& item : in.at("points")) {
    PointRecord& point = record.points.emplace_back();
    item.at("key").get_to(point.key);
    item.at("label").get_to(point.label);
    item.at("workload").get_to(point.workload);
    item.at("seed").get_to(point.seed);
    if (!item.at("budget").is_null()) point.budget = item.at("budget").get<uint64_t>();
    point.settings.assign(item.at("settings").begin(), item.at("settings").end());
    item.at("profilers").get_to(point.observed.profilers);
    item.at("names").get_to(point.observed.names);
  }
}

void to_json(json& out, const RunEnd& end) {
  out = {{"status", end.status}, {"reason", end.reason},   {"exit_code", end.exit_code},
         {"signal", end.signal}, {"seconds", end.seconds}, {"peak_rss_bytes", end.peak_rss_bytes}};
  if (!end.stream.empty()) out["stream"] = end.stream;
  out["checksum"] = checksum_of(out);
}

void from_json(const json& in, RunEnd& end) {
  check_sum(in);
  in.at("status").get_to(end.status);
  in.at("reason").get_to(end.reason);
  in.at("exit_code").get_to(end.exit_code);
  in.at("signal").get_to(end.signal);
  in.at("seconds").get_to(end.seconds);
  in.at("peak_rss_bytes").get_to(end.peak_rss_bytes);
  end.stream = in.value("stream", "");
}

void write_whole(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) fail("make", file.parent_path(), error.value());
  const fs::path temporary = files::temporary_of(file);
  const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("write", file, errno);
  int reason = 0;
  for (size_t done = 0; done < text.size() && reason == 0;) {
    const ssize_t put = write(descriptor, text.data() + done, text.size() - done);
    if (put >= 0) {
      done += static_cast<size_t>(put);
    } else if (errno != EINTR) {
      reason = errno;
    }
  }
  if (close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason == 0 && std::rename(temporary.c_str(), file.c_str()) != 0) reason = errno;
  if (reason == 0) return;
  fs::remove(temporary, error);
  fail("write", file, reason);
}

json read_json(const fs::path& file) {
  std::string text, why;
  if (!files::read_whole(file.string(), text::limits::kJsonBytes, &text, &why)) {
    throw FolderError(fmt::format("cannot read {}: {}", file.string(), why));
  }
  try {
    return text::json_from(text);
  } catch (const json::exception& error) {
    throw FolderError(
        fmt::format("{} is damaged: expected JSON ({})", file.string(), error.what()));
  }
}

std::string damage_of(const fs::path& file, const json::exception& error) {
  const std::string what = error.what();  // "[json.exception.out_of_range.403] key ..."
  const size_t end = what.find("] ");
  return fmt::format("{} is damaged: {}", file.string(),
                     end == std::string::npos ? what : what.substr(end + 2));
}

std::string shell_text(const std::vector<std::string>& command) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

std::string hash_text(const std::string& text) {
  return hex(XXH3_128bits(text.data(), text.size()));
}

std::string hash_file(const fs::path& file) {
  const std::string why = files::why_unreadable(file.string());
  if (!why.empty()) throw FolderError(fmt::format("cannot read {}: {}", file.string(), why));
  std::ifstream stream(file, std::ios::binary);
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  char block[65536];
  while (stream.read(block, sizeof block), stream.gcount() > 0) {
    XXH3_128bits_update(state.get(), block, static_cast<size_t>(stream.gcount()));
  }
  if (!stream.eof()) {
    throw FolderError(fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)));
  }
  return hex(XXH3_128bits_digest(state.get()));
}

}  // namespace strobe::explore
