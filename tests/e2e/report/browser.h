// A headless Chromium, driven through its DevTools protocol over a pipe.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace strobe::e2e {

/// Throws std::runtime_error when Chromium does not start, does not answer, or a script throws.
class Browser {
 public:
  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Opens a file and waits until its page says that it is drawn (data-ready of its body).
  /// @return how long that took
  std::chrono::milliseconds open(const std::filesystem::path& page);
  void prefer_dark();

  /// The value of an expression; a promise is waited for.
  nlohmann::json evaluate(const std::string& expression);
  std::string text(const std::string& expression) {
    return evaluate(expression).get<std::string>();
  }
  /// Waits until the expression is true, at most ten seconds.
  bool becomes(const std::string& expression);

  /// A key's name as in KeyboardEvent.key, such as "ArrowDown", "Enter", "Escape".
  void press(const std::string& key);
  /// Into what has the focus.
  void type(const std::string& text);
  /// Presses the button at one place of an element, moves to another and lets go; in its pixels.
  void drag(const std::string& selector, int x0, int y0, int x1, int y1);
  /// The page as it is printed. @return the size of the PDF
  size_t print();

  /// What the console said and what was thrown, since the start.
  const std::vector<std::string>& console() const { return console_; }

 private:
  nlohmann::json call(const std::string& method, const nlohmann::json& parameters = {});
  nlohmann::json next_message();

  std::filesystem::path profile_;
  pid_t child_ = -1;
  int to_ = -1, from_ = -1;
  int id_ = 0;
  std::string session_, received_;
  std::vector<std::string> console_;
};

}  // namespace strobe::e2e
