// SPDX-License-Identifier: MIT
//
// What is checked: the exercises of catalog/, loaded and checked against their schemas. Nothing
// here knows a particular exercise; all that differs between them is data.

#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace driver {

/// One case of an exercise.
///
/// Shape: `data` is the whole case object, with the defaults of its schema filled in.
struct Case {
  std::string name;
  nlohmann::json data;
};

/// One exercise, as the catalogue describes it.
///
/// Shape: `config` is exercise.json; `rules` and `pitfalls` are the arrays of their files;
/// `golden` maps the name of a case to its entry, from every file of golden/. What exercises have
/// in common is in a folder that exercise.json names under "shares": each part is that of the
/// shared folder with the exercise's own laid over it (overlay.hpp).
struct Exercise {
  std::string slug;
  nlohmann::json config;
  nlohmann::json rules;
  std::vector<Case> cases;
  nlohmann::json golden;
  nlohmann::json pitfalls;
  std::filesystem::path folder;
  std::filesystem::path case_schema;

  /// Gives the names of the folders that it is made of, in catalog/, starter/ and tests/mutants/:
  /// the one that it shares with others, if it does, and over it its own.
  std::vector<std::string> layers() const;
};

/// Gives the slugs of all exercises in `catalog`, sorted.
std::vector<std::string> exercise_slugs(const std::filesystem::path& catalog);

/// Loads the exercise `slug` from the folder `catalog`.
///
/// Errors: BadInput when there is no such exercise, naming the nearest; GraderFault when a file of
/// the catalogue breaks its schema.
Exercise load_exercise(const std::filesystem::path& catalog, const std::string& slug);

/// Gives the exercise with an instructor's own cases in place of the catalogue's, and with the
/// goldens of `golden`, or none.
///
/// Shape: the cases are `{"format": 1, "cases": [...]}` or a bare array, the goldens
/// `{"format": 1, "cases": {...}}` or a bare object from name to entry.
/// Errors: BadInput with the file, the JSON pointer and what was expected there.
Exercise with_own_cases(Exercise exercise, const std::filesystem::path& cases,
                        const std::optional<std::filesystem::path>& golden);

/// Gives the sentence of the rule `id`, or "" when the exercise has no such rule.
std::string rule_sentence(const Exercise& exercise, const std::string& id);

/// Says where the parts of the catalogue do not fit together: a case without golden entry, a rule
/// or case that is named but does not exist. A kit that is whole gives none.
std::vector<std::string> catalogue_gaps(const Exercise& exercise);

}  // namespace driver
