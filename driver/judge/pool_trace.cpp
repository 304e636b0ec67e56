// SPDX-License-Identifier: MIT
//
// One handler for each kind of event; kinds that no check reads are passed over.

#include "driver/judge/pool_trace.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace driver {
namespace {

[[noreturn]] void complain(const Event& event, const std::string& what) {
  throw BadObservation("event \"" + event.name + "\": " + what);
}

std::int64_t number(const Event& event, const char* key) {
  if (!event.fields.contains(key) || !event.fields.at(key).is_number_integer()) {
    complain(event, "no number \"" + std::string(key) + "\"");
  }
  return event.fields.at(key).get<std::int64_t>();
}

std::string text(const Event& event, const char* key) {
  if (!event.fields.contains(key) || !event.fields.at(key).is_string()) {
    complain(event, "no text \"" + std::string(key) + "\"");
  }
  return event.fields.at(key).get<std::string>();
}

/// A text as it is, anything else as JSON: exercises differ in what a metrics call carries.
std::string shown(const Event& event, const char* key) {
  if (!event.fields.contains(key)) {
    complain(event, "no \"" + std::string(key) + "\"");
  }
  const nlohmann::json& value = event.fields.at(key);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void start_attempt(PoolTrace& trace, const Event& event, Moment at) {
  const std::int64_t item = number(event, "item");
  std::vector<std::size_t>& of_item = trace.attempts_of[item];
  if (number(event, "n") != static_cast<std::int64_t>(of_item.size()) + 1) {
    complain(event, "the attempts of an item are not numbered 1, 2, 3");
  }
  of_item.push_back(trace.attempts.size());
  Attempt& attempt = trace.attempts.emplace_back();
  attempt.item = item;
  attempt.number = number(event, "n");
  attempt.start = at;
}

Attempt& running_attempt(PoolTrace& trace, const Event& event) {
  const auto found = trace.attempts_of.find(number(event, "item"));
  const std::int64_t n = number(event, "n");
  if (found == trace.attempts_of.end() || n < 1 ||
      static_cast<std::size_t>(n) > found->second.size()) {
    complain(event, "no such attempt");
  }
  Attempt& attempt = trace.attempts[found->second[static_cast<std::size_t>(n) - 1]];
  if (attempt.end) {
    complain(event, "the attempt was over");
  }
  return attempt;
}

void end_attempt(PoolTrace& trace, const Event& event, Moment at) {
  Attempt& attempt = running_attempt(trace, event);
  attempt.end = at;
  attempt.how = text(event, "how");
}

void pull(PoolTrace& trace, const Event& event, Moment at) {
  trace.pulls.push_back({.at = at, .item = number(event, "item")});
  ++trace.pulls_of[trace.pulls.back().item];
}

void yield(PoolTrace& trace, const Event& event, Moment at) {
  trace.yields.push_back({.at = at, .result = number(event, "result")});
  ++trace.yields_of[trace.yields.back().result];
}

void keep_first(std::optional<Moment>& kept, Moment at) { kept = kept.value_or(at); }

using Handler = std::function<void(PoolTrace&, const Event&, Moment)>;

const std::unordered_map<std::string, Handler>& handlers() {
  static const std::unordered_map<std::string, Handler> table = {
      {"next", [](auto& trace, auto&, Moment at) { trace.nexts.push_back(at); }},
      {"pull", pull},
      {"pull_overlap", [](auto& trace, auto&, Moment at) { trace.overlaps.push_back(at); }},
      {"attempt_start", start_attempt},
      {"attempt_end", end_attempt},
      {"cancel_seen", [](auto& trace, auto& event,
                         Moment at) { running_attempt(trace, event).cancels.push_back(at.time); }},
      {"yield", yield},
      {"metrics",
       [](auto& trace, auto& event, Moment at) {
         trace.metrics.push_back(
             {.at = at, .event = text(event, "event"), .detail = shown(event, "detail")});
       }},
      {"stop", [](auto& trace, auto& event,
                  Moment at) { trace.stops.push_back({.at = at, .by = text(event, "by")}); }},
      {"source_raise",
       [](auto& trace, auto& event, Moment at) {
         trace.source_failures.push_back({.at = at, .error = text(event, "error")});
       }},
      {"source_end", [](auto& trace, auto&, Moment at) { keep_first(trace.source_end, at); }},
      {"source_woken", [](auto& trace, auto&, Moment at) { trace.source_woken = at; }},
      {"source_closed", [](auto& trace, auto&, Moment at) { keep_first(trace.source_closed, at); }},
      {"caller_cancel",
       [](auto& trace, auto&, Moment at) { keep_first(trace.caller_cancelled, at); }},
      {"caller_close", [](auto& trace, auto&, Moment at) { keep_first(trace.caller_closed, at); }},
      {"end", [](auto& trace, auto&, Moment at) { keep_first(trace.end, at); }},
  };
  return table;
}

}  // namespace

std::optional<Moment> PoolTrace::caller_left() const {
  if (caller_cancelled && caller_closed) {
    return caller_cancelled->position < caller_closed->position ? caller_cancelled : caller_closed;
  }
  return caller_cancelled ? caller_cancelled : caller_closed;
}

std::size_t PoolTrace::yields_for(std::int64_t result) const {
  const auto found = yields_of.find(result);
  return found == yields_of.end() ? 0 : found->second;
}

PoolTrace read_trace(const std::vector<Event>& events) {
  PoolTrace trace;
  for (std::size_t position = 0; position < events.size(); ++position) {
    const Event& event = events[position];
    const Moment at = {.time = event.time_ns, .position = position};
    if (const auto handler = handlers().find(event.name); handler != handlers().end()) {
      handler->second(trace, event, at);
    }
    if (!trace.end) {
      trace.last_before_end = at;
    }
  }
  return trace;
}

}  // namespace driver
