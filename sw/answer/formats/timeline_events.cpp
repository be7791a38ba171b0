#include "sw/answer/formats/timeline_events.h"

#include <string>

#include "sw/answer/csv_table.h"

namespace strobe::answer {
namespace {

void add_text(const CsvTable& table, const char* column, const char* name,
              TraceEvents::Args* args) {
  if (!table.text(column).empty()) (*args)[name] = table.text(column);
}

/// Where the program was, and what made it stop there.
TraceEvents::Args about(const CsvTable& table) {
  TraceEvents::Args args = TraceEvents::Args::object();
  add_text(table, "source", "source", &args);
  add_text(table, "pc", "interrupted_pc", &args);
  add_text(table, "symbol", "interrupted", &args);
  add_text(table, "handler", "handler", &args);
  return args;
}

}  // namespace

uint64_t add_timeline(const std::filesystem::path& file, unsigned track, TraceEvents* events) {
  events->name_track(track, "interrupts and handlers");
  uint64_t begin = 0, dropped = 0;
  for (CsvTable table(file); table.next();) {
    const std::string& event = table.text("event");
    const uint64_t cycle = table.number("cycle"), value = table.number("value");
    if (event == "region") {
      begin = cycle;
    } else if (event == "message_buffer") {
      events->add_counter("message buffer", cycle, {{"messages", value}});
    } else if (event == "tuple_queue") {
      events->add_counter("tuple queue", cycle, {{"tuples", value}});
    } else if (event == "dropped") {
      events->add_counter("dropped", cycle, {{"tuples", dropped += value}});
    } else if (event == "raised") {
      events->add_instant(track, "raised", cycle, about(table));
    } else if (event == "taken") {
      TraceEvents::Args args = about(table);
      args["cycles_since_raised"] = value;
      events->add_instant(track, "taken", cycle, args);
    } else {
      TraceEvents::Args args = about(table);
      args["charged"] = value;
      events->add_slice(track, event, cycle, table.number("cycles"), args);
    }
  }
  return begin;
}

}  // namespace strobe::answer
