// SPDX-License-Identifier: MIT
//
// The whole of a check: look at the submission, build it, run every case, judge, report.

#pragma once

#include "driver/core/case_runs.hpp"
#include "driver/core/catalogue.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/kit.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace driver {

/// What is asked of a check.
///
/// Shape: `cases` are names, none for all; `schedules` is how many a case gets, none for the
/// exercise's number; `seed` draws the unseen cases, else the submission's digest does; `json` is a
/// file, "-" for stdout, or empty; `variant` is the kit's way to build. Units: `soak_seconds` of
/// real time.
struct CheckOptions {
  std::string exercise;
  std::filesystem::path submission;
  std::vector<std::string> cases;
  std::optional<std::filesystem::path> cases_file;
  std::optional<std::filesystem::path> golden_file;
  std::optional<std::string> schedule;
  std::optional<std::size_t> schedules;
  std::size_t soak_seconds = 0;
  std::optional<std::uint64_t> seed;
  std::string json;
  std::string language;  ///< Its code; empty for English.
  std::string variant = "plain";
  std::size_t repeat = 1;
  std::optional<std::filesystem::path> passes;  ///< Where a pass of all cases is noted.
  bool list = false;
  bool timings = false;
};

/// Runs the check and reports it: text to `out`, or the JSON report alone when `json` is "-".
/// Whatever is not part of the report goes to `err`.
///
/// Errors: BadInput for arguments, cases or a submission that cannot be used; GraderFault when the
/// catalogue or the kit is broken.
ExitCode run_check(const CheckOptions& options, const Kit& kit, std::ostream& out,
                   std::ostream& err);

/// Gives the exercise with the catalogue's cases, or those of the case file.
/// Errors: BadInput for an unknown exercise, naming the nearest, or for a bad case file.
Exercise chosen_exercise(const CheckOptions& options, const Kit& kit);

/// Gives the schedules to run: the one asked for, else the portfolio asked for or the exercise's.
/// Errors: BadInput for a schedule that does not exist, with the forms that do.
RunOptions chosen_schedules(const CheckOptions& options, const Exercise& exercise);

}  // namespace driver
