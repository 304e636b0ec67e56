// SPDX-License-Identifier: MIT
//
// The middle of a check: a built submission, every case run and judged.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"
#include "driver/core/report.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace driver {

/// Called after each case with the number of cases done.
using Progress = std::function<void(std::size_t done)>;

/// Runs and judges every case of `exercise` with the runner `program`.
///
/// Shape: a runner that cannot start is the submission's doing, and each case says so.
/// Errors: GraderFault when the program cannot be started at all.
std::vector<CheckedCase> run_cases(const Exercise& exercise, const std::filesystem::path& program,
                                   const std::vector<std::string>& schedules, const Kit& kit,
                                   const Progress& progress);

/// Gives every case of `exercise` the same verdict, for a submission that could not be run.
std::vector<CheckedCase> all_cases_as(const Exercise& exercise, Verdict verdict,
                                      const std::string& summary);

/// Gives what a program printed with everything taken out that differs from run to run: the
/// scratch folder, and process ids and addresses in reports of sanitizers.
std::string stable_output(std::string text, const std::filesystem::path& scratch, const Kit& kit);

}  // namespace driver
