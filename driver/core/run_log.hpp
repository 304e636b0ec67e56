// SPDX-License-Identifier: MIT
//
// What one case left behind: the records of every run, as the runner reported them. They are the
// observations of a process that holds foreign code; the judge decides what they mean.

#pragma once

#include "driver/protocol/schedule.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace driver {

/// One thing that happened in a run.
///
/// Shape: `fields` is the record without its keys "r", "t" and "ev".
/// Units: `time_ns` is virtual time, in nanoseconds from the start of the run.
struct Event {
  std::int64_t time_ns = 0;
  std::string name;
  nlohmann::json fields;
};

/// Why a run could not go on, in the runner's own words.
///
/// Shape: `kind` is deadlock, livelock, blocked, memory, exited, escaped,
/// not_implemented, crash or grader_fault.
struct Fatal {
  std::string kind;
  nlohmann::json detail;
};

/// The records of one case under one schedule.
struct RunLog {
  std::string schedule;
  std::vector<Event> events;
  nlohmann::json report;
  nlohmann::json observed;
  std::optional<Fatal> fatal;
  bool complete = false;  ///< The end record came, and the number of events matched it.
  std::optional<std::size_t> same_as;  ///< An earlier run with the same records; this one has none.
  protocol::Path choices;              ///< Those that were not the first, when they were asked for.
  bool is_repeatable = true;           ///< A second run gave the same records, or there was none.

  /// Whether time may have gone on while steps were ready, as on a slow machine.
  bool is_late() const { return schedule.starts_with("late:"); }
};

/// Everything known of one case: its runs, and how its process ended.
struct CaseRun {
  std::vector<RunLog> runs;
  std::optional<bool> saw_all;  ///< Whether a search for all schedules came to its end.
  int wait_status = 0;
  bool exited_on_time = true;
  std::string sleeps_in;  ///< The call that it slept in until it was ended, if it did.
  bool output_limit = false;
  std::string stdout_text;  ///< Capped: the head and the tail.
  std::string stderr_text;
  std::optional<std::string> protocol_error;  ///< What was wrong with the records, if anything.
  bool finished = false;                      ///< The last record came and the exit status was 0.
  std::int64_t cpu_ms = 0;
  std::int64_t cpu_limit_ms = 10'000;
  std::int64_t max_rss_kb = 0;
};

}  // namespace driver
