// SPDX-License-Identifier: MIT
//
// Runs the cases of one built submission: one warm runner, one forked child for each case, with
// everything that a child may do wrong turned into data about that case.

#pragma once

#include "driver/core/frame_reader.hpp"
#include "driver/core/run_log.hpp"
#include "driver/core/runner_spawn.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace driver {

/// How a runner is started and what its children may use.
struct RunnerOptions {
  std::filesystem::path program;
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment = runner_environment();
  std::string exercise = {};  ///< Slug that the runner must name in its hello; empty: any.
  nlohmann::json limits = {{"cpu_seconds", 10}, {"memory_mb", 1024}, {"steps", 200'000}};
  std::chrono::milliseconds hello_limit = std::chrono::seconds(30);
  std::chrono::milliseconds case_limit = std::chrono::seconds(60);  ///< Real time, a backstop.
  /// Whether a child that sleeps, with nothing to be read from it, is taken to sleep for ever: its
  /// time is virtual, so there is nothing to wait for. Sanitizers wait for helpers of theirs.
  bool notices_sleep = true;
  std::size_t kept_output = 64U << 10U;  ///< Bytes shown of each of stdout and stderr.
  std::size_t output_limit = 4U << 20U;  ///< Bytes of either after which the child is killed.
  ReportLimits report_limits = {};
};

/// How a case is to be run.
///
/// Shape: under each schedule in turn, until a run cannot go on; with `twice` each run a second
/// time, to see whether it repeats itself; with `choices` the logs say which choices were made.
struct RunRequest {
  std::vector<std::string> schedules;
  bool twice = false;
  bool choices = false;
};

/// The runner ended, or stayed silent, before it was ready for a case: the whole submission cannot
/// be run, for instance because a global constructor ended the process.
class RunnerFailed : public std::runtime_error {
 public:
  RunnerFailed(const std::string& what, std::optional<int> wait_status, std::string output);

  /// Gives how it ended; none when it had to be killed.
  std::optional<int> wait_status() const { return wait_status_; }
  /// Gives what it printed, stdout and stderr together.
  const std::string& output() const { return output_; }

 private:
  std::optional<int> wait_status_;
  std::string output_;
};

/// A warm runner. Not for use by several threads at once.
/// Lifetime: the destructor ends the runner and whatever is left in its process group.
class RunnerProcess {
 public:
  /// Starts the runner and waits until it is ready.
  /// Errors: RunnerFailed; std::system_error when it cannot be started at all.
  explicit RunnerProcess(RunnerOptions options);
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;
  ~RunnerProcess();

  /// Runs a case in one fresh child. A runner that died is started again first.
  /// Errors: RunnerFailed when that start fails. What goes wrong during the case is in the result.
  CaseRun run(const nlohmann::json& case_data, const RunRequest& request);

 private:
  void start();
  void await_hello();

  RunnerOptions options_;
  SpawnedRunner runner_;
  std::uint64_t next_id_ = 0;
};

}  // namespace driver
