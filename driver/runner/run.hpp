// SPDX-License-Identifier: MIT
// One case under its schedules, in the process that is there for it.
#pragma once

#include "driver/runner/recorder.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace runner {

/// How often a case is run, and how.
/// Bounds: at most `steps` steps a run.
struct RunPlan {
  std::vector<std::string> schedules;
  std::uint64_t steps = 200'000;
  bool runs_twice = false;  ///< Each run a second time, to see whether it gives the same records.
  bool tells_choices = false;  ///< The records say which choices were made.
};

/// Runs the exercise's run_case() in a fresh simulation under each schedule in turn and records
/// everything; the run that cannot go on is the last.
/// Errors: a schedule that does not exist is a fatal record; so is whatever stops a run.
void run_under_schedules(const nlohmann::json& test_case, const RunPlan& plan, Recorder& recorder);

}  // namespace runner
