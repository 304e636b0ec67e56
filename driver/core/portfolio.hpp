// SPDX-License-Identifier: MIT
//
// Which schedules a case is run under when nobody asks for one.

#pragma once

#include "driver/core/catalogue.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace driver {

/// How many schedules to run, and which.
///
/// Shape: `count` schedules a case; another `round` gives others of the same kinds.
struct Portfolio {
  std::size_t count = 1;
  std::uint64_t round = 0;
};

/// Gives the schedules for a case: fifo, lifo, then random walks, partial order sampling, PCT and
/// late timers in turn, with fixed seeds. A case that names its `cost` gets so many times fewer, at
/// least two; one that asks for it (`exhaustive`) is searched as well.
///
/// Source: of these kinds none finds everything; plain random walks find most where runs are as
/// short as here. Late timers only where the judge can read the events (no scenario).
std::vector<std::string> schedules_for(const Case& test_case, const Portfolio& portfolio);

}  // namespace driver
