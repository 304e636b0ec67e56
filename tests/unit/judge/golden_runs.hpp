// SPDX-License-Identifier: MIT
//
// The runs that the goldens of pool-stop describe, as the runner would have reported them.

#pragma once

#include "tests/unit/judge/judged.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace driver::testing_support {

/// One run that is right: a golden itself, or one of its other readings.
struct GoldenRun {
  std::string name;  ///< Of the case; with the readings, when it is one of those.
  Case test_case;
  RunLog log;
};

inline void PrintTo(const GoldenRun& run, std::ostream* out) { *out << run.name; }

/// The exercise with all checks and with the goldens of pool-stop.
const Exercise& golden_exercise();

/// Every run of golden/matrix.json, in a fixed order.
const std::vector<GoldenRun>& golden_runs();

/// The run of one golden itself.
const GoldenRun& golden_run(const std::string& name);

}  // namespace driver::testing_support
