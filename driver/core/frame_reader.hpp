// SPDX-License-Identifier: MIT
//
// Turns the bytes of a report pipe into run logs. The writer shares its process with a submission,
// so nothing is believed: whatever is wrong ends the reading with a reason, never with a throw.

#pragma once

#include "driver/core/run_log.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// How much a report may hold before it is refused.
struct ReportLimits {
  std::size_t frames = 400'000;
  std::size_t bytes = 64U << 20U;
  std::size_t json_depth = 32;
};

/// Reads one report: begin, events, report and end of every schedule in turn, or
/// begin and the number of an earlier run with the same records; then bye. The search of
/// "exhaustive" is any number of runs under paths; a run that could not go on is the last.
class FrameReader {
 public:
  FrameReader(std::uint64_t token, std::vector<std::string> schedules, ReportLimits limits = {});

  /// Takes in the next bytes, in pieces of any size. After an error they are ignored.
  void feed(std::string_view bytes);

  /// Says that no more bytes will come; a frame cut off in its middle is an error from now on.
  void close();

  /// Gives what was wrong, naming the frame; none while all is well.
  const std::optional<std::string>& error() const { return error_; }

  /// Whether the last frame ("bye") came, after every schedule's complete run.
  bool is_finished() const { return finished_ && !error_; }

  /// Gives the runs read so far; a run that was not ended is incomplete.
  std::vector<RunLog>& runs() { return runs_; }

  /// Gives whether a search for all schedules has seen them all; none when there was none.
  std::optional<bool> saw_all() const { return saw_all_; }

 private:
  void take_frames();
  void take_payload(std::string_view payload);
  void take_record(nlohmann::json&& record);
  void begin_run(const nlohmann::json& record);
  void take_event(nlohmann::json&& record);
  void take_report(nlohmann::json&& record);
  void take_fatal(nlohmann::json&& record);
  void end_run(const nlohmann::json& record);
  void repeat_run(const nlohmann::json& record);
  void take_choice(const nlohmann::json& record);
  void take_differs();
  void take_explored(const nlohmann::json& record);
  bool is_search() const;
  void take_bye(const nlohmann::json& record);
  void fail(const std::string& what);

  std::uint64_t token_;
  std::vector<std::string> schedules_;
  ReportLimits limits_;
  std::string buffer_;
  std::size_t total_bytes_ = 0;
  std::uint32_t next_sequence_ = 0;
  std::vector<RunLog> runs_;
  std::size_t next_schedule_ = 0;
  std::optional<bool> saw_all_;
  bool in_run_ = false;
  bool has_report_ = false;
  bool finished_ = false;
  std::optional<std::string> error_;
};

}  // namespace driver
