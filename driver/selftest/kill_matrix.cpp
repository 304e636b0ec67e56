// SPDX-License-Identifier: MIT
#include "driver/selftest/kill_matrix.hpp"

#include <algorithm>
#include <set>

namespace driver {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

/// What is wrong with the grader if a right subject came to this; "" when nothing is.
std::string flaw_of_right(const SubjectResult& result) {
  if (!result.is_built) {
    return "a right solution does not compile";
  }
  if (result.cases.empty()) {
    return {};
  }
  const auto& [name, verdict] = *result.cases.begin();
  return "a right solution gets " + std::to_string(result.cases.size()) +
         " false alarms, such as \"" + verdict.verdict + "\" by " + name +
         (verdict.rules.empty() ? "" : " (" + verdict.rules.front() + ")");
}

/// The same for a wrong subject.
std::string flaw_of_wrong(const SubjectResult& result) {
  const Names& expected = result.subject.verdicts;
  if (!result.is_built) {
    return contains(expected, "could not build") ? "" : "it does not compile";
  }
  if (result.cases.empty()) {
    return "survives: no case finds it";
  }
  const auto is_expected = [&expected](const auto& entry) {
    return contains(expected, entry.second.verdict);
  };
  // A mutant is broken in one place, and what follows from that may be anything; of a cheat every
  // case has to say what it did.
  const bool is_found = result.subject.kind == SubjectKind::cheat
                            ? std::ranges::all_of(result.cases, is_expected)
                            : std::ranges::any_of(result.cases, is_expected);
  if (is_found) {
    return {};
  }
  const auto& [name, verdict] = *std::ranges::find_if_not(result.cases, is_expected);
  return "gets \"" + verdict.verdict + "\" by " + name + ", expected " + joined(expected);
}

bool is_named_by_its_rule(const SubjectResult& result) {
  return std::ranges::any_of(result.cases, [&result](const auto& entry) {
    return std::ranges::any_of(entry.second.rules, [&result](const std::string& rule) {
      return contains(result.subject.rules, rule);
    });
  });
}

void draw_conclusions(const SubjectResult& result, KillMatrix& matrix) {
  const Subject& subject = result.subject;
  ++matrix.counts[subject.kind];
  const std::string flaw = subject.must_pass() ? flaw_of_right(result) : flaw_of_wrong(result);
  if (!flaw.empty()) {
    matrix.flaws.push_back({.subject = subject.name, .what = flaw});
  }
  if (subject.must_pass()) {
    return;
  }
  for (const auto& [name, verdict] : result.cases) {
    matrix.kills[name].push_back(subject.name);
  }
  if (result.cases.size() == 1) {
    matrix.sole_kills[result.cases.begin()->first].push_back(subject.name);
  }
  const bool has_rules = subject.kind == SubjectKind::mutant && !result.cases.empty();
  if (has_rules && !is_named_by_its_rule(result)) {
    matrix.remarks.push_back(
        {.subject = subject.name, .what = "is found, but no case names " + joined(subject.rules)});
  }
}

Names rules_without_mutant(const Exercise& exercise, const Subjects& subjects) {
  std::set<std::string> covered;
  for (const Subject& subject : subjects.all) {
    covered.insert(subject.rules.begin(), subject.rules.end());
  }
  Names uncovered;
  for (const nlohmann::json& rule : exercise.rules) {
    const std::string id = rule.at("id").get<std::string>();
    if (!covered.contains(id) && !subjects.without_mutant.contains(id)) {
      uncovered.push_back(id);
    }
  }
  return uncovered;
}

void append_flaws(const std::string& title, const std::vector<Flaw>& flaws, std::string& text) {
  if (flaws.empty()) {
    return;
  }
  text += title + "\n";
  for (const Flaw& flaw : flaws) {
    text += "  " + flaw.subject + ": " + flaw.what + "\n";
  }
}

}  // namespace

KillMatrix make_kill_matrix(const Exercise& exercise, const Subjects& subjects,
                            std::vector<SubjectResult> results) {
  KillMatrix matrix;
  for (const SubjectResult& result : results) {
    draw_conclusions(result, matrix);
  }
  matrix.uncovered = rules_without_mutant(exercise, subjects);
  matrix.results = std::move(results);
  return matrix;
}

std::string kill_matrix_text(const Exercise& exercise, const KillMatrix& matrix) {
  std::string text = exercise.slug + ": " + std::to_string(exercise.rules.size()) + " rules, " +
                     std::to_string(exercise.cases.size()) + " cases";
  for (const auto& [kind, count] : matrix.counts) {
    text +=
        ", " + std::to_string(count) + " " + std::string(to_string(kind)) + (count == 1 ? "" : "s");
  }
  text += "\n";
  append_flaws("flaws of the grader:", matrix.flaws, text);
  append_flaws("found under another rule:", matrix.remarks, text);
  if (!matrix.uncovered.empty()) {
    text += "rules with neither mutant nor reason: " + joined(matrix.uncovered) + "\n";
  }
  Names idle;
  for (const Case& test_case : exercise.cases) {
    if (!matrix.sole_kills.contains(test_case.name)) {
      idle.push_back(test_case.name);
    }
  }
  text += std::to_string(exercise.cases.size() - idle.size()) +
          " cases find something that no other case finds\n";
  text += matrix.is_sound() ? "sound: no survivor, no false alarm\n" : "not sound\n";
  return text;
}

nlohmann::ordered_json kill_matrix_json(const Exercise& exercise, const KillMatrix& matrix) {
  using Json = nlohmann::ordered_json;
  const auto flaws = [](const std::vector<Flaw>& list) {
    Json array = Json::array();
    for (const Flaw& flaw : list) {
      array.push_back({{"subject", flaw.subject}, {"what", flaw.what}});
    }
    return array;
  };
  Json counts = Json::object();
  for (const auto& [kind, count] : matrix.counts) {
    counts[std::string(to_string(kind))] = count;
  }
  Json subjects = Json::array();
  for (const SubjectResult& result : matrix.results) {
    Json killed_by = Json::object();
    for (const auto& [name, verdict] : result.cases) {
      killed_by[name] = verdict.verdict;
    }
    subjects.push_back({{"name", result.subject.name},
                        {"kind", std::string(to_string(result.subject.kind))},
                        {"rules", result.subject.rules},
                        {"why", result.subject.why},
                        {"killed_by", killed_by}});
  }
  Json cases = Json::array();
  for (const Case& test_case : exercise.cases) {
    const auto kills = matrix.kills.find(test_case.name);
    const auto sole = matrix.sole_kills.find(test_case.name);
    cases.push_back({{"name", test_case.name},
                     {"kills", kills == matrix.kills.end() ? Names() : kills->second},
                     {"sole_kills", sole == matrix.sole_kills.end() ? Names() : sole->second}});
  }
  return {{"format", 1},
          {"exercise", exercise.slug},
          {"sound", matrix.is_sound()},
          {"counts", counts},
          {"flaws", flaws(matrix.flaws)},
          {"remarks", flaws(matrix.remarks)},
          {"uncovered", matrix.uncovered},
          {"subjects", subjects},
          {"cases", cases}};
}

}  // namespace driver
