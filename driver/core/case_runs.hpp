// SPDX-License-Identifier: MIT
//
// The middle of a check: a built submission, every case run and judged.

#pragma once

#include "driver/core/build.hpp"
#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"
#include "driver/core/portfolio.hpp"
#include "driver/core/report.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace driver {

/// How cases are run.
///
/// Shape: under `schedule` alone if there is one, else under those that the portfolio has for each
/// case; with `twice`, each a second time, to see whether it repeats itself. With `shortens`, a
/// case that fails under a schedule but fifo gets the log of the shortest path that fails alike.
/// `jobs` runners share the cases; which case goes to which depends on nothing else. Called from
/// any of their threads, one call at a time, `progress` gets the number of cases done.
struct RunOptions {
  std::optional<std::string> schedule;
  Portfolio portfolio = {};
  bool twice = false;
  bool shortens = false;
  std::size_t jobs = 1;
  std::function<void(std::size_t done)> progress = {};
};

/// Runs and judges every case of `exercise` with the runner that was built.
///
/// Shape: a runner that cannot start is the submission's doing, and each case says so. A case whose
/// part of the runner could not be compiled is not run, and says that.
/// Errors: GraderFault when the program cannot be started at all.
std::vector<CheckedCase> run_cases(const Exercise& exercise, const BuildResult& build,
                                   const Kit& kit, const RunOptions& options);

/// Gives whole milliseconds of real time, for --timings.
std::int64_t milliseconds_since(std::chrono::steady_clock::time_point start);

/// Gives every case of `exercise` the same verdict, for a submission that could not be run.
std::vector<CheckedCase> all_cases_as(const Exercise& exercise, Verdict verdict,
                                      const std::string& summary);

/// Gives what a program printed with everything taken out that differs from run to run: the
/// scratch folder, and process ids and addresses in reports of sanitizers.
std::string stable_output(std::string text, const std::filesystem::path& scratch, const Kit& kit);

}  // namespace driver
