// SPDX-License-Identifier: MIT
//
// Knows no exercise: it runs the checks that exercise.json names, and compares with goldens.

#include "driver/core/judge.hpp"

#include "driver/judge/golden.hpp"
#include "driver/judge/process_verdict.hpp"
#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace driver {
namespace {

using nlohmann::json;

/// How much of what is wrong is told: the rest follows from it, or is more of the same.
constexpr std::size_t most_of_a_check = 3;
constexpr std::size_t most_in_all = 20;

/// The rules that an exercise's checks stand for, by the name of the check.
class Rules {
 public:
  explicit Rules(const Exercise& exercise) : config_(exercise.config) {
    for (const json& check : config_.value("checks", json::array())) {
      by_check_[check.at("name").get<std::string>()] = check.at("rule").get<std::string>();
    }
  }

  /// Gives the rule of a part of a check ("stop.failure"), else that of the whole; none when the
  /// exercise does not have the check.
  std::optional<std::string> of(const std::string& check) const {
    const auto exact = by_check_.find(check);
    const auto found =
        exact != by_check_.end() ? exact : by_check_.find(check.substr(0, check.find('.')));
    return found == by_check_.end() ? std::nullopt : std::optional(found->second);
  }

  bool has_trace_checks() const {
    return std::any_of(trace_checks().begin(), trace_checks().end(), [&](const auto& check) {
      return by_check_.contains(std::string(check.name));
    });
  }

  std::string of_key(const std::string& key, const std::string& otherwise) const {
    return config_.value("report_rules", json::object()).value(key, otherwise);
  }

 private:
  const json& config_;
  std::map<std::string, std::string> by_check_;
};

/// The rule that a case is mainly about.
std::string main_rule(const Case& test_case) {
  const json rules = test_case.data.value("rules", json::array());
  return rules.empty() ? std::string() : rules.at(0).get<std::string>();
}

/// The rule that a key of a scenario's observations is about: that of the longest beginning of the
/// key which the case's `rules_by_key` names, else the case's main rule.
std::string rule_of_observation(const Case& test_case, const std::string& key) {
  std::string rule = main_rule(test_case);
  std::size_t longest = 0;
  const json rules = test_case.data.value("rules_by_key", json::object());
  for (const auto& [beginning, named] : rules.items()) {
    if (key.starts_with(beginning) && beginning.size() >= longest) {
      longest = beginning.size();
      rule = named.get<std::string>();
    }
  }
  return rule;
}

/// Adds the findings that the exercise has rules for.
void add(Findings&& findings, const Rules& rules, Findings& all) {
  std::map<std::string, std::size_t> counts;
  for (Violation& found : findings) {
    const auto rule = rules.of(found.check);
    if (rule && ++counts[found.check] <= most_of_a_check) {
      found.rule = *rule;
      all.push_back(std::move(found));
    }
  }
}

/// Earliest first, what has no time last; findings of one instant stay in the order of the checks.
Findings by_time(Findings&& findings) {
  std::multimap<std::int64_t, Violation> sorted;
  for (Violation& violation : findings) {
    const auto time = violation.time_ns.value_or(std::numeric_limits<std::int64_t>::max());
    sorted.emplace(time, std::move(violation));
  }
  findings.clear();
  for (auto& [time, violation] : sorted) {
    findings.push_back(std::move(violation));
  }
  return std::move(findings);
}

json golden_entry(const Exercise& exercise, const Case& test_case) {
  return exercise.golden.is_object() ? exercise.golden.value(test_case.name, json::object())
                                     : json::object();
}

Findings check_trace(const Exercise& exercise, const Case& test_case, const RunLog& log,
                     const Rules& rules, bool is_prefix) {
  Findings all;
  if (!rules.has_trace_checks()) {
    return all;
  }
  const PoolRun run =
      read_pool_run(test_case.data, exercise.config.value("judge", json::object()), log);
  if (!is_prefix && !run.trace.end) {
    throw BadObservation("the runner did not report the end of the run");
  }
  for (const TraceCheck& check : trace_checks()) {
    if (!is_prefix || check.works_on_a_prefix) {
      add(check.run(run), rules, all);
    }
  }
  return by_time(std::move(all));
}

/// What every run is checked for, whatever it observed.
void check_leftovers(const RunLog& log, const Rules& rules, Findings& all) {
  Findings findings;
  for (const Event& event : log.events) {
    if (event.name == "task_left") {
      findings.push_back(finding("tasks", event.time_ns, "a task is left when run ends"));
    } else if (event.name == "unread_exception") {
      findings.push_back(
          finding("unread", event.time_ns, "nobody reads the exception of a finished task"));
    }
  }
  add(std::move(findings), rules, all);
}

Findings judge_scenario(const Exercise& exercise, const Case& test_case, const RunLog& log,
                        const Rules& rules) {
  Findings all;
  check_leftovers(log, rules, all);
  const json entry = golden_entry(exercise, test_case);
  for (Difference& difference : compare_scenario(log.observed, entry)) {
    Violation& violation =
        all.emplace_back(finding("scenario." + difference.key, std::nullopt,
                                 "\"" + difference.key + "\" is not what a right solution gives",
                                 std::move(difference.expected), std::move(difference.actual)));
    violation.rule = rule_of_observation(test_case, difference.key);
  }
  return all;
}

Findings judge_matrix(const Exercise& exercise, const Case& test_case, const RunLog& log,
                      const Rules& rules) {
  Findings all = check_trace(exercise, test_case, log, rules, false);
  const json entry = golden_entry(exercise, test_case);
  for (Difference& difference : compare_report(log, entry)) {
    Violation& violation = all.emplace_back(
        finding("report." + difference.key, std::nullopt,
                "\"" + difference.key + "\" of the report is not what a right solution gives",
                std::move(difference.expected), std::move(difference.actual)));
    violation.rule = rules.of_key(difference.key, main_rule(test_case));
  }
  return all;
}

Judgement judge_runs(const Exercise& exercise, const Case& test_case, const CaseRun& run) {
  const Rules rules(exercise);
  const bool is_scenario = test_case.data.contains("scenario");
  for (std::size_t index = 0; index < run.runs.size(); ++index) {
    const RunLog& log = run.runs[index];
    if (log.same_as) {
      continue;  // judged as the run that it repeats
    }
    Findings all = is_scenario ? judge_scenario(exercise, test_case, log, rules)
                               : judge_matrix(exercise, test_case, log, rules);
    if (all.empty()) {
      continue;
    }
    all.resize(std::min(all.size(), most_in_all));
    const std::string summary =
        (all.front().rule.empty() ? "" : all.front().rule + ": ") + all.front().message;
    return {
        .verdict = Verdict::wrong, .violations = std::move(all), .summary = summary, .run = index};
  }
  return {.verdict = Verdict::pass, .violations = {}, .summary = "pass", .run = 0};
}

bool is_of_the_submission(Verdict verdict) {
  return verdict != Verdict::grader_fault && verdict != Verdict::not_implemented &&
         verdict != Verdict::build_failed;
}

/// One violation for a verdict that names no rule by itself: of the rule that the case is about.
void blame_main_rule(const Case& test_case, Judgement& judgement) {
  const std::string rule = main_rule(test_case);
  if (!rule.empty()) {
    Violation violation =
        finding(std::string(to_string(judgement.verdict)), std::nullopt, judgement.summary);
    violation.rule = rule;
    judgement.violations.push_back(std::move(violation));
  }
}

/// Says which rule a run broke that did not come to its end: one whose breach was seen on the way,
/// else the one that the case is about.
void blame(const Exercise& exercise, const Case& test_case, const CaseRun& run,
           Judgement& judgement) {
  try {
    if (judgement.run < run.runs.size() && !test_case.data.contains("scenario")) {
      judgement.violations =
          check_trace(exercise, test_case, run.runs[judgement.run], Rules(exercise), true);
    }
  } catch (const std::exception&) {
    judgement.violations.clear();  // the verdict stands; what was seen does not explain it
  }
  if (judgement.violations.empty()) {
    blame_main_rule(test_case, judgement);
  }
}

}  // namespace

Judgement judge(const Exercise& exercise, const Case& test_case, const CaseRun& run) {
  try {
    if (auto judgement = judge_process(run)) {
      if (is_of_the_submission(judgement->verdict)) {
        blame(exercise, test_case, run, *judgement);
      }
      return *judgement;
    }
    return judge_runs(exercise, test_case, run);
  } catch (const std::exception& error) {
    return {.verdict = Verdict::grader_fault,
            .violations = {},
            .summary = std::string("the observations cannot be read: ") + error.what(),
            .run = 0};
  }
}

Judgement judge_unbuilt(const Case& test_case, const std::string& why) {
  Judgement judgement;
  judgement.verdict = Verdict::build_failed;
  judgement.summary = "does not compile with this case's types: " + why;
  blame_main_rule(test_case, judgement);
  return judgement;
}

}  // namespace driver
