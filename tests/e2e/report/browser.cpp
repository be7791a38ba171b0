#include "tests/e2e/report/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace strobe::e2e {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kPatience = 120;  // seconds for an answer, on a busy machine

/// Chromium reads commands from descriptor 3 and writes to 4.
[[noreturn]] void become_chromium(int commands, int answers, const std::string& profile) {
  const int in = fcntl(commands, F_DUPFD, 10), out = fcntl(answers, F_DUPFD, 10);
  dup2(in, 3);
  dup2(out, 4);
  for (int descriptor = 5; descriptor < 256; ++descriptor) close(descriptor);
  const int quiet = ::open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(quiet, descriptor);
  setpgid(0, 0);
  execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking",
         ("--user-data-dir=" + profile).c_str(), nullptr);
  _exit(127);
}

}  // namespace

Browser::Browser() {
  std::string pattern = (fs::temp_directory_path() / "strobe-browser-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  profile_ = pattern;
  int commands[2], answers[2];
  if (pipe(commands) != 0 || pipe(answers) != 0) throw std::runtime_error("pipe failed");
  std::signal(SIGPIPE, SIG_IGN);
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("fork failed");
  if (child_ == 0) become_chromium(commands[0], answers[1], profile_.string());
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  const json target = call("Target.createTarget", {{"url", "about:blank"}}).at("targetId");
  session_ = call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})
                 .at("sessionId")
                 .get<std::string>();
  for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable"}) call(domain);
  call("Emulation.setDeviceMetricsOverride",
       {{"width", 1280}, {"height", 1400}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

Browser::~Browser() {
  kill(-child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  close(to_);
  close(from_);
  std::error_code ignored;
  fs::remove_all(profile_, ignored);
}

json Browser::next_message() {
  for (size_t end; (end = received_.find('\0')) == std::string::npos;) {
    pollfd waiting{from_, POLLIN, 0};
    char buffer[65536];
    ssize_t count = 0;
    if (poll(&waiting, 1, kPatience * 1000) == 1) count = read(from_, buffer, sizeof buffer);
    if (count <= 0) {
      throw std::runtime_error("chromium does not answer: is it installed (scripts/setup)?");
    }
    received_.append(buffer, static_cast<size_t>(count));
  }
  const size_t end = received_.find('\0');
  json message = json::parse(received_.substr(0, end));
  received_.erase(0, end + 1);
  return message;
}

json Browser::call(const std::string& method, const json& parameters) {
  json command = {{"id", ++id_}, {"method", method}};
  command["params"] = parameters.is_null() ? json::object() : parameters;
  if (!session_.empty()) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  for (size_t done = 0; done < text.size();) {
    const ssize_t put = write(to_, text.data() + done, text.size() - done);
    if (put <= 0) throw std::runtime_error("chromium does not run: install it (scripts/setup)");
    done += static_cast<size_t>(put);
  }
  for (;;) {
    json message = next_message();
    if (message.value("id", 0) == id_) {
      if (message.contains("error")) throw std::runtime_error(method + ": " + message.dump());
      return message.at("result");
    }
    const std::string event = message.value("method", "");
    if (event == "Runtime.consoleAPICalled" || event == "Runtime.exceptionThrown" ||
        event == "Log.entryAdded") {
      console_.push_back(message.at("params").dump());
    }
  }
}

std::chrono::milliseconds Browser::open(const fs::path& page) {
  const auto begin = Clock::now();
  call("Page.navigate", {{"url", "file://" + fs::absolute(page).string()}});
  while (!evaluate("Boolean(document.body && document.body.dataset.ready)").get<bool>()) {
    if (Clock::now() - begin > std::chrono::seconds(kPatience)) {
      throw std::runtime_error("the page is not drawn: " +
                               (console_.empty() ? std::string("no message") : console_[0]));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
}

void Browser::prefer_dark() {
  call("Emulation.setEmulatedMedia",
       {{"features", {{{"name", "prefers-color-scheme"}, {"value", "dark"}}}}});
}

json Browser::evaluate(const std::string& expression) {
  const json answer =
      call("Runtime.evaluate",
           {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) {
    throw std::runtime_error(expression + ": " + answer.at("exceptionDetails").dump());
  }
  return answer.at("result").value("value", json());
}

bool Browser::becomes(const std::string& expression) {
  const auto end = Clock::now() + std::chrono::seconds(10);
  while (Clock::now() < end) {
    if (evaluate(expression) == true) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

void Browser::press(const std::string& key) {
  const std::pair<const char*, int> codes[] = {{"Enter", 13},     {"Escape", 27},  {"Tab", 9},
                                               {"ArrowDown", 40}, {"ArrowUp", 38}, {"End", 35},
                                               {"Home", 36},      {" ", 32}};
  for (const auto& [name, code] : codes) {
    if (key != name) continue;
    const bool writes = key == "Enter" || key == " ";
    json event = {{"type", writes ? "keyDown" : "rawKeyDown"},
                  {"key", key},
                  {"code", key == " " ? "Space" : key},
                  {"windowsVirtualKeyCode", code}};
    if (writes) event["text"] = key == " " ? " " : "\r";
    call("Input.dispatchKeyEvent", event);
    event["type"] = "keyUp";
    event.erase("text");
    call("Input.dispatchKeyEvent", event);
    return;
  }
  throw std::invalid_argument("no key " + key);
}

void Browser::type(const std::string& text) { call("Input.insertText", {{"text", text}}); }

void Browser::drag(const std::string& selector, int x0, int y0, int x1, int y1) {
  const json box = evaluate("(() => { const box = document.querySelector('" + selector +
                            "').getBoundingClientRect(); return [box.left, box.top]; })()");
  const double left = box.at(0), top = box.at(1);
  const auto mouse = [&](const char* type, double x, double y) {
    call("Input.dispatchMouseEvent", {{"type", type},
                                      {"x", left + x},
                                      {"y", top + y},
                                      {"button", "left"},
                                      {"buttons", 1},
                                      {"clickCount", 1}});
  };
  mouse("mousePressed", x0, y0);
  constexpr int kSteps = 4;
  for (int i = 1; i <= kSteps; ++i) {
    mouse("mouseMoved", x0 + (x1 - x0) * i / kSteps, y0 + (y1 - y0) * i / kSteps);
  }
  evaluate("new Promise(requestAnimationFrame).then(() => true)");
  mouse("mouseReleased", x1, y1);
}

size_t Browser::print() {
  return call("Page.printToPDF").at("data").get<std::string>().size() / 4 * 3;
}

}  // namespace strobe::e2e
