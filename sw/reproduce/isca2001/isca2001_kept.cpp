// Races as JSON, kept beside the streams.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/files/sha256.h"
#include "sw/reproduce/isca2001/isca2001_race.h"
#include "sw/stream/stream_reader.h"

namespace strobe::isca2001 {
namespace {

using nlohmann::json;
using reproduce::isca2001::Course;
using reproduce::isca2001::Raced;
using reproduce::isca2001::Window;

/// No error is -1.
json as_json(const Course& course) {
  json errors = json::array();
  for (const std::optional<double>& error : course.errors) errors.push_back(error.value_or(-1));
  return {{"errors", errors}, {"messages", course.messages}};
}

Course course_of(const json& from) {
  Course course;
  for (const json& error : from.at("errors")) {
    const double value = error.get<double>();
    course.errors.push_back(value < 0 ? std::nullopt : std::optional(value));
  }
  from.at("messages").get_to(course.messages);
  return course;
}

json as_json(const Window& window) {
  json courses = json::array();
  for (const std::vector<Course>& of_contender : window.courses) {
    json seeds = json::array();
    for (const Course& course : of_contender) seeds.push_back(as_json(course));
    courses.push_back(std::move(seeds));
  }
  return {{"start", window.start},
          {"loads", window.loads},
          {"top_share", window.top_share},
          {"cycles", window.cycles},
          {"courses", std::move(courses)}};
}

Window window_of(const json& from) {
  Window window;
  from.at("start").get_to(window.start);
  from.at("loads").get_to(window.loads);
  from.at("top_share").get_to(window.top_share);
  from.at("cycles").get_to(window.cycles);
  for (const json& seeds : from.at("courses")) {
    std::vector<Course>& of_contender = window.courses.emplace_back();
    for (const json& course : seeds) of_contender.push_back(course_of(course));
  }
  return window;
}

json as_json(const Raced& raced) {
  json windows = json::array();
  for (const Window& window : raced.windows) windows.push_back(as_json(window));
  return {{"stream", raced.stream}, {"events", raced.events}, {"windows", std::move(windows)}};
}

/// All that decides a race: the simulator and the inputs of the recorded run, which the stream's
/// header names with their hashes, and the plan.
std::string inputs_of(const ProgramStream& stream, const RacePlan& plan) {
  std::ifstream in(stream.file, std::ios::binary);
  std::string text = stream::StreamReader(in, stream.file.string()).header().dump();
  for (const Contender& contender : plan.contenders) text += contender.yaml;
  text += fmt::format("{} {} {} {} {}", plan.window, plan.starts, plan.seeds, plan.first_point,
                      plan.points_per_decade);
  constexpr size_t kDigits = 16;
  return files::sha256_of_text(text).substr(0, kDigits);
}

}  // namespace

Raced kept_race(KeptResults& kept, const ProgramStream& stream, const RacePlan& plan) {
  const json found = kept.get("race " + plan.name, inputs_of(stream, plan),
                              [&] { return as_json(race(stream, plan)); });
  Raced raced;
  raced.program = stream.name;
  for (const Contender& contender : plan.contenders) raced.compressors.push_back(contender.paper);
  found.at("stream").get_to(raced.stream);
  found.at("events").get_to(raced.events);
  for (const json& window : found.at("windows")) raced.windows.push_back(window_of(window));
  return raced;
}

}  // namespace strobe::isca2001
