// SPDX-License-Identifier: MIT
//
// Which case finds which wrong solution, and what that says of the grader.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/selftest/rounds.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace driver {

/// One thing that is wrong with the grader: a wrong solution that it does not find, or a right one
/// that it fails.
struct Flaw {
  std::string subject;
  std::string what;
};

/// The findings of a round.
///
/// Shape: `flaws` must be empty; `remarks` need not be: a mutant that is found, but under none of
/// its own rules. `kills` maps each case to the wrong solutions that it finds; `sole_kills` to
/// those that no other case finds. `uncovered` are the rules with neither mutant nor reason.
struct KillMatrix {
  std::vector<SubjectResult> results;
  std::vector<Flaw> flaws;
  std::vector<Flaw> remarks;
  std::map<std::string, std::vector<std::string>> kills;
  std::map<std::string, std::vector<std::string>> sole_kills;
  std::vector<std::string> uncovered;
  std::map<SubjectKind, std::size_t> counts;

  bool is_sound() const { return flaws.empty() && uncovered.empty(); }
};

/// Draws the conclusions from the results of a round.
KillMatrix make_kill_matrix(const Exercise& exercise, const Subjects& subjects,
                            std::vector<SubjectResult> results);

/// Gives the matrix in words: counts, flaws, remarks, and cases that find nothing of their own.
std::string kill_matrix_text(const Exercise& exercise, const KillMatrix& matrix);

/// Gives the matrix as JSON.
/// Shape: format, exercise, sound, counts, flaws, remarks, uncovered, subjects (name, kind, rules,
/// why, killed_by: case -> verdict), cases (name, kills, sole_kills).
nlohmann::ordered_json kill_matrix_json(const Exercise& exercise, const KillMatrix& matrix);

/// Gives the matrix as a page to look at: a row a subject, a column a case, no script, no network.
std::string kill_matrix_page(const Exercise& exercise, const KillMatrix& matrix);

}  // namespace driver
