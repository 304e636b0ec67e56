// SPDX-License-Identifier: MIT
// What the runner observes, as frames on the report pipe. The runner never judges: it reports.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace runner {

/// One field of an event.
struct Field {
  const char* key;
  std::variant<std::int64_t, std::string_view> value;
};

/// Writes the records of one case. A run that repeats an earlier one, event by event, is only
/// named; so the records of a run leave when it has ended, or when the process is about to
/// (flush()).
class Recorder {
 public:
  Recorder(int fd, std::uint64_t token) : fd_(fd), token_(token) {}

  /// Starts the next run, under this schedule.
  void begin(const std::string& schedule);

  /// Starts a second run under the schedule of the last one. Its records stay here; when they are
  /// not those of the first, end() says so.
  void begin_again();

  /// Sets who is told of a run that makes events for ever.
  void set_flood_handler(void (*handler)()) { flood_handler_ = handler; }

  /// Notes that at a point where there was a choice the step with this index was chosen.
  void choice(std::uint32_t place, std::uint32_t index);

  /// Notes that `name` happens at this virtual instant. One event more than a run may have is told
  /// to the handler, which does not return.
  void event(std::string_view name, std::initializer_list<Field> fields = {});

  /// Whether an earlier run recorded just what this one has recorded so far. A report that follows
  /// from the events need not be made then.
  bool repeats_earlier_run() const { return find_earlier().has_value(); }

  /// The report with the keys of the exercise's text, and what the text leaves out.
  /// `follows_from_events`: the same events always give the same report.
  void report(const nlohmann::ordered_json& report, const nlohmann::ordered_json& observed,
              bool follows_from_events);

  /// Why the run cannot go on.
  void fatal(std::string_view kind, const nlohmann::ordered_json& detail);

  void end();

  /// Whether the last run could not go on.
  bool has_fatal() const { return has_fatal_; }

  /// Says that the search for all schedules has ended, and whether it has seen them all.
  void explored(bool all);

  void bye();

  /// Writes what was kept back, of a run that does not come to its end. Takes no memory, so that a
  /// signal handler may call it; does nothing when the signal came in the middle of a record.
  void flush();

 private:
  void keep(std::string payload);
  void emit(std::string_view payload);
  void write_out(std::string_view bytes) const;
  std::optional<std::size_t> find_earlier() const;

  int fd_;
  std::uint64_t token_;
  void (*flood_handler_)() = nullptr;
  std::uint32_t sequence_ = 0;
  std::size_t runs_ = 0;  // that have ended
  std::size_t events_ = 0;
  bool has_fatal_ = false;
  bool is_again_ = false;
  std::string ready_;                             // frames on their way out
  std::vector<std::string> kept_;                 // this run's records
  bool is_busy_ = false;                          // a record is being made
  std::uint64_t digest_ = 0;                      // of what tells this run from others
  std::uint64_t last_digest_ = 0;                 // of the run before
  std::map<std::uint64_t, std::size_t> earlier_;  // a run's digest and its number
};

}  // namespace runner
