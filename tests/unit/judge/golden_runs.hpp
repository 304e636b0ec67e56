// SPDX-License-Identifier: MIT
//
// The runs that the goldens of a worker pool describe, as the runner would have reported them.

#pragma once

#include "tests/unit/judge/judged.hpp"

#include <string>
#include <vector>

namespace driver::testing_support {

/// One run that is right: a golden itself, or one of its other readings.
struct GoldenRun {
  std::string name;  ///< Of the case; with the readings, when it is one of those.
  Case test_case;
  RunLog log;
};

/// The exercise `slug` with its goldens and parameters, and with all checks.
const Exercise& golden_exercise(const std::string& slug = "pool-stop");

/// Every run that a golden of the exercise calls right, in a fixed order.
const std::vector<GoldenRun>& golden_runs(const std::string& slug = "pool-stop");

/// The run of one golden of pool-stop itself.
const GoldenRun& golden_run(const std::string& name);

}  // namespace driver::testing_support
