// SPDX-License-Identifier: MIT
//
// What the grader is graded with: the reference and the alternates, which must pass, and the
// mutants and cheats, which must not.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// What a subject is, and with that whether it is right.
enum class SubjectKind { reference, alternate, mutant, cheat };

/// Gives "reference", "alternate", "mutant" or "cheat".
std::string_view to_string(SubjectKind kind);

/// One submission that the grader is tried on.
///
/// Shape: `files` maps names to texts; `rules` are those that it breaks, the primary one first;
/// `verdicts` are those that it may honestly get.
struct Subject {
  SubjectKind kind = SubjectKind::mutant;
  std::string name;
  std::vector<std::string> rules = {};
  std::vector<std::string> verdicts = {};
  std::string why = {};
  std::map<std::string, std::string> files = {};

  bool must_pass() const {
    return kind == SubjectKind::reference || kind == SubjectKind::alternate;
  }
};

/// All subjects of an exercise.
///
/// Shape: `without_mutant` maps a rule that no mutant can break to the reason.
struct Subjects {
  std::vector<Subject> all;
  std::map<std::string, std::string> without_mutant;
};

/// Loads reference/<slug> and, from tests/, mutants/<slug>/mutants.json, the folders of
/// alternates/<slug> and those that cheats/<slug>/cheats.json names; besides, the mutants that the
/// exercise shares with others, and what variants.json makes from another exercise's alternates or
/// cheats.
/// Errors: GraderFault with the file and the entry that does not fit: a text to replace that does
/// not occur exactly once, a folder without its file.
Subjects load_subjects(const Kit& kit, const Exercise& exercise);

/// Keeps for a quick round, of the mutants, those that are the first for their primary rule and
/// among the first `count` of that rule's section, and one cheat of six.
void keep_a_sample(Subjects& subjects, const nlohmann::json& rules, std::size_t count);

}  // namespace driver
