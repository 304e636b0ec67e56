// SPDX-License-Identifier: MIT
//
// `ol selftest`: the grader graded with solutions whose verdict is known.

#pragma once

#include "driver/core/errors.hpp"
#include "driver/core/kit.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace driver {

/// What is asked of a selftest.
struct SelftestOptions {
  std::string exercise;
  std::vector<std::string> subjects = {};  ///< Names; none for all.
  bool is_quick = false;                   ///< One mutant a section of the rules.
  std::size_t jobs = 0;                    ///< 0: one a core.
  std::string json = {};                   ///< A file, "-" for stdout, or empty.
  std::filesystem::path page = {};
  std::optional<std::string> schedule = {};
  std::optional<std::size_t> schedules = {};  ///< How many a case; none for the exercise's number.
};

/// Checks all subjects of an exercise and says what that shows of the grader.
///
/// Shape: pass when every right solution passes, every wrong one is found and every rule has a
/// mutant or a reason; else fail.
/// Errors: BadInput for a name that does not exist; GraderFault.
ExitCode run_selftest(const SelftestOptions& options, const Kit& kit, std::ostream& out,
                      std::ostream& err);

}  // namespace driver
