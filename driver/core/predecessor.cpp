// SPDX-License-Identifier: MIT

#include "driver/core/predecessor.hpp"

#include "driver/core/build.hpp"
#include "driver/core/scratch.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace driver {
namespace {

using Names = std::vector<std::string>;

bool breaks_all(const CheckRecord& record, const Names& rules) {
  std::set<std::string> broken;
  for (const CheckedCase& checked : record.cases) {
    for (const Violation& violation : checked.judgement.violations) {
      broken.insert(violation.rule);
    }
  }
  return std::ranges::all_of(rules, [&](const std::string& rule) { return broken.contains(rule); });
}

bool compiles_as(const std::string& slug, const Kit& kit, const Submission& submission) {
  const Exercise predecessor = load_exercise(kit.catalog(), slug);
  const Scratch scratch;
  scratch.fill(submission, predecessor, kit);
  return build_submission(predecessor, kit, scratch.folder()).is_ok;
}

}  // namespace

std::optional<std::string> predecessor_hint(const Exercise& exercise, const Kit& kit,
                                            const CheckRecord& record) {
  const auto entry = exercise.config.find("predecessor");
  if (entry == exercise.config.end()) {
    return std::nullopt;
  }
  const auto slug = entry->at("exercise").get<std::string>();
  const auto rules = entry->at("differences").get<Names>();
  const bool is_it =
      record.build.is_ok ? breaks_all(record, rules) : compiles_as(slug, kit, record.submission);
  if (!is_it) {
    return std::nullopt;
  }
  std::string text = "this looks like a solution of " + slug + "; what is different here:";
  for (const std::string& rule : rules) {
    text += " " + rule + ": " + rule_sentence(exercise, rule);
  }
  return text;
}

}  // namespace driver
