// SPDX-License-Identifier: MIT
// One case under one schedule, in the process that is there for it.
#pragma once

#include "driver/runner/recorder.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace runner {

/// Runs the exercise's run_case() in a fresh simulation and records everything from begin to end.
/// Bounds: at most `steps` steps.
/// Errors: a schedule that does not exist is a fatal record; so is whatever stops the run.
void run_under_schedule(const nlohmann::json& test_case, std::size_t index,
                        const std::string& schedule, std::uint64_t steps, Recorder& recorder);

}  // namespace runner
