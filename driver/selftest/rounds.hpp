// SPDX-License-Identifier: MIT
//
// Checks many subjects, several at a time, and remembers each result under the contents that it
// depends on: an interrupted round goes on where it was.

#pragma once

#include "driver/core/case_runs.hpp"
#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"
#include "driver/selftest/subjects.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace driver {

/// What one case said of a subject.
struct CaseVerdict {
  std::string verdict;
  std::vector<std::string> rules = {};  ///< The rules that it named, most telling first.
};

/// What became of a subject.
///
/// Shape: `cases` maps the name of a case to what it said, if that was not "pass"; `build_output`
/// is there when the subject did not compile.
struct SubjectResult {
  Subject subject;
  std::map<std::string, CaseVerdict> cases = {};
  std::string build_output = {};
  bool is_built = true;
};

/// How a round is run.
struct RoundOptions {
  RunOptions run;
  std::size_t jobs = 2;
  std::filesystem::path cache;  ///< Folder for results; empty: none are kept.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// Checks every subject with every case of the exercise; results in the order of the subjects.
/// Errors: GraderFault.
std::vector<SubjectResult> run_round(const Exercise& exercise, const Kit& kit,
                                     const std::vector<Subject>& subjects,
                                     const RoundOptions& options);

}  // namespace driver
