#include "sw/report/page.h"

#include "sw/report/assets.h"
#include "sw/text/json_text.h"
#include "sw/text/shown.h"

namespace strobe::report {
namespace {

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  }
  return out;
}

/// The document with its texts as text::shown() gives them, so that none turns the direction of
/// what stands beside it.
nlohmann::ordered_json readable(nlohmann::ordered_json value) {
  if (value.is_string()) return text::shown(value.get_ref<const std::string&>());
  for (nlohmann::ordered_json& part : value) {
    if (part.is_string() || part.is_structured()) part = readable(std::move(part));
  }
  return value;
}

/// JSON for a script element. Only the element's end tag and the beginning of a comment could leave
/// the element. Both begin with '<', which JSON has only inside texts.
std::string script_json(const nlohmann::ordered_json& value) {
  std::string out;
  for (const char c : text::json_text(value)) {
    out += c == '<' ? "\\u003c" : std::string(1, c);
  }
  return out;
}

/// The text that replaces {{NAME}} in page.html.
std::string content_of(const std::string& name, const nlohmann::ordered_json& report) {
  if (name == "title") {
    return html_text(text::one_line(report.at("name").get<std::string>())) + " - Strobe";
  }
  if (name == "data") return script_json(readable(report));
  return std::string(asset(name));
}

}  // namespace

std::string html_page(const nlohmann::ordered_json& report) {
  const std::string_view page = asset("page.html");
  std::string out;
  size_t at = 0;
  for (size_t mark; (mark = page.find("{{", at)) != std::string_view::npos;) {
    const size_t end = page.find("}}", mark);
    out += page.substr(at, mark - at);
    out += content_of(std::string(page.substr(mark + 2, end - mark - 2)), report);
    at = end + 2;
  }
  out += page.substr(at);
  return out;
}

std::string json_text(const nlohmann::ordered_json& report) {
  return text::json_text(report, 1) + "\n";
}

}  // namespace strobe::report
