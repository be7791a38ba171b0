// System calls on plain numbers: guest memory with a scratch area, a sandbox of temporary folders.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sc_models/isa/linux/calls/system_calls.h"

namespace strobe::isa {

class CallTest : public testing::Test {
 protected:
  static constexpr uint64_t kProgramEnd = 0x20000;
  static constexpr uint64_t kLimit = uint64_t{64} << 20;
  static constexpr uint64_t kScratch = STROBE_USER_TOP - (uint64_t{1} << 20);  // in the stack
  static constexpr uint64_t kBuffer = kScratch + 0x10000;
  static constexpr uint64_t kHere = static_cast<uint64_t>(-100);  // AT_FDCWD
  static constexpr uint64_t kUnmapped = 0x1000;

  CallTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "strobe-XXXXXX").string();
    top_ = std::filesystem::canonical(mkdtemp(pattern.data()));
    for (const char* folder : {"in", "out", "secret"}) {
      std::filesystem::create_directory(top_ / folder);
    }
    put_file("in/hello.txt", "hello, world");
    put_file("secret/key", "do not read");
    options_.read = {(top_ / "in").string()};
    options_.write = {(top_ / "out").string()};
    options_.memory_limit = kLimit;
    restart();
  }
  ~CallTest() override { std::filesystem::remove_all(top_); }

  /// A new process with the present options_.
  void restart() {
    calls_.reset();
    space_.reset();
    memory_ = std::make_unique<GuestMemory>();
    user_ = std::make_unique<UserMemory>(*memory_);
    space_ = std::make_unique<AddressSpace>(*user_, kProgramEnd, options_.memory_limit, false);
    calls_ = std::make_unique<SystemCalls>(*user_, *space_, options_, "prog");
    calls_->set_places([](uint64_t) { return "0x10478"; });
  }

  int64_t call(const char* name, std::vector<uint64_t> args = {}) {
    uint64_t number = 0;
    while (SystemCalls::name(number) != name) {
      if (++number > 500) throw std::runtime_error(std::string("no system call ") + name);
    }
    return call(number, std::move(args));
  }
  int64_t call(uint64_t number, std::vector<uint64_t> args) {
    args.resize(6);
    SystemCalls::Args registers;
    std::copy(args.begin(), args.end(), registers.begin());
    user_->forget_written();
    return static_cast<int64_t>(calls_->call(number, registers));
  }

  /// Puts a string into guest memory; `slot` keeps several apart.
  uint64_t text(const std::string& value, unsigned slot = 0) {
    const uint64_t address = kScratch + slot * 0x2000;
    EXPECT_TRUE(user_->copy_out(address, value.c_str(), value.size() + 1));
    return address;
  }
  std::string guest(uint64_t address, uint64_t size) {
    std::string result(size, '\0');
    EXPECT_TRUE(user_->copy_in(result.data(), address, size));
    return result;
  }
  template <class T>
  T value(uint64_t address) {
    T result{};
    EXPECT_TRUE(user_->get(result, address));
    return result;
  }

  int64_t open(const std::string& path, uint64_t flags = 0, uint64_t mode = 0644) {
    return call("openat", {kHere, text(path), flags, mode});
  }
  std::string in(const std::string& name) const { return (top_ / "in" / name).string(); }
  std::string out(const std::string& name) const { return (top_ / "out" / name).string(); }

  void put_file(const std::string& name, const std::string& content) {
    std::ofstream(top_ / name) << content;
  }
  std::string host_file(const std::string& name) {
    std::stringstream content;
    content << std::ifstream(top_ / name).rdbuf();
    return content.str();
  }

  std::filesystem::path top_;
  ProcessOptions options_;
  std::unique_ptr<GuestMemory> memory_;
  std::unique_ptr<UserMemory> user_;
  std::unique_ptr<AddressSpace> space_;
  std::unique_ptr<SystemCalls> calls_;
};

}  // namespace strobe::isa
