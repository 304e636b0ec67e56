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

  /// Whether the exercise has checks that read the events of a worker pool; "tasks" and "unread"
  /// are there without them too (check_leftovers).
  bool has_trace_checks() const {
    return std::any_of(trace_checks().begin(), trace_checks().end(), [&](const auto& check) {
      return check.name != "tasks" && check.name != "unread" &&
             by_check_.contains(std::string(check.name));
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

/// The rule that a key of what was observed is about: that of the longest beginning of the key
/// which the case's `rules_by_key` names, else `otherwise`.
std::string rule_of_observation(const Case& test_case, const std::string& key,
                                const std::string& otherwise) {
  std::string rule = otherwise;
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

/// What is known of the run whose events are checked.
enum class TraceKind {
  whole,
  prefix,  ///< It was cut short, for instance by a deadlock.
  late,    ///< Time went on while steps were ready: only what holds on a slow machine counts.
};

bool applies(const TraceCheck& check, TraceKind kind) {
  return kind == TraceKind::whole ||
         (kind == TraceKind::prefix ? check.works_on_a_prefix : check.works_when_late);
}

Findings check_trace(const Exercise& exercise, const Case& test_case, const RunLog& log,
                     const Rules& rules, TraceKind kind) {
  Findings all;
  if (!rules.has_trace_checks()) {
    return all;
  }
  const PoolRun run =
      read_pool_run(test_case.data, exercise.config.value("judge", json::object()), log);
  if (kind != TraceKind::prefix && !run.trace.end) {
    throw BadObservation("the runner did not report the end of the run");
  }
  for (const TraceCheck& check : trace_checks()) {
    if (applies(check, kind)) {
      add(check.run(run), rules, all);
    }
  }
  return by_time(std::move(all));
}

/// What a run is checked for that no trace check reads, whatever it observed.
void check_leftovers(const RunLog& log, const Rules& rules, Findings& all) {
  Findings findings;
  for (const Event& event : log.events) {
    if (event.name == "task_left") {
      findings.push_back(finding("tasks", event.time_ns, "a task is left when run ends"));
    } else if (event.name == "unread_exception") {
      findings.push_back(
          finding("unread", event.time_ns, "nobody reads the exception of a finished task"));
    } else if (event.name == "unfinished_queue") {
      findings.push_back(finding("unfinished", event.time_ns,
                                 "values taken from a queue are never marked as done", 0,
                                 event.fields.at("count")));
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
    violation.rule = rule_of_observation(test_case, difference.key, main_rule(test_case));
  }
  return all;
}

Findings judge_matrix(const Exercise& exercise, const Case& test_case, const RunLog& log,
                      const Rules& rules) {
  Findings all = check_trace(exercise, test_case, log, rules, TraceKind::whole);
  if (!rules.has_trace_checks()) {
    check_leftovers(log, rules, all);
  }
  const json entry = golden_entry(exercise, test_case);
  for (Difference& difference : compare_report(log, entry)) {
    Violation& violation = all.emplace_back(
        finding("report." + difference.key, std::nullopt,
                "\"" + difference.key + "\" of the report is not what a right solution gives",
                std::move(difference.expected), std::move(difference.actual)));
    violation.rule = rule_of_observation(test_case, difference.key,
                                         rules.of_key(difference.key, main_rule(test_case)));
  }
  return all;
}

/// What a complete run broke.
Findings judge_run(const Exercise& exercise, const Case& test_case, const RunLog& log,
                   const Rules& rules) {
  Findings all;
  if (log.same_as) {
    return all;  // judged as the run that it repeats
  }
  if (log.is_late()) {
    return check_trace(exercise, test_case, log, rules, TraceKind::late);
  }
  return test_case.data.contains("scenario") ? judge_scenario(exercise, test_case, log, rules)
                                             : judge_matrix(exercise, test_case, log, rules);
}

/// The verdict on the first `count` runs: that on the first of them that breaks a rule.
std::optional<Judgement> judge_runs(const Exercise& exercise, const Case& test_case,
                                    const CaseRun& run, std::size_t count) {
  const Rules rules(exercise);
  for (std::size_t index = 0; index < count; ++index) {
    Findings all = judge_run(exercise, test_case, run.runs[index], rules);
    if (all.empty()) {
      continue;
    }
    all.resize(std::min(all.size(), most_in_all));
    const std::string summary =
        (all.front().rule.empty() ? "" : all.front().rule + ": ") + all.front().message;
    return Judgement{
        .verdict = Verdict::wrong, .violations = std::move(all), .summary = summary, .run = index};
  }
  return std::nullopt;
}

bool is_of_the_submission(Verdict verdict) {
  return verdict != Verdict::not_implemented && verdict != Verdict::build_failed;
}

/// One violation for a verdict that names no rule by itself: of `rule`, if it is one.
void blame_rule(const std::string& rule, Judgement& judgement) {
  if (!rule.empty()) {
    Violation violation =
        finding(std::string(to_string(judgement.verdict)), std::nullopt, judgement.summary);
    violation.rule = rule;
    judgement.violations.push_back(std::move(violation));
  }
}

/// Says which rule a run broke that did not come to its end: one whose breach was seen on the way,
/// else the one that the exercise names for such a verdict, else the one that the case is about.
void blame(const Exercise& exercise, const Case& test_case, const CaseRun& run,
           Judgement& judgement) {
  try {
    if (judgement.run < run.runs.size() && !test_case.data.contains("scenario") &&
        !run.runs[judgement.run].is_late()) {
      judgement.violations = check_trace(exercise, test_case, run.runs[judgement.run],
                                         Rules(exercise), TraceKind::prefix);
    }
  } catch (const std::exception&) {
    judgement.violations.clear();  // the verdict stands; what was seen does not explain it
  }
  if (judgement.violations.empty()) {
    const auto named = Rules(exercise).of(std::string(to_string(judgement.verdict)));
    blame_rule(named.value_or(main_rule(test_case)), judgement);
  }
}

}  // namespace

Judgement judge(const Exercise& exercise, const Case& test_case, const CaseRun& run) {
  try {
    auto ended = judge_process(run);
    // The runs come in the order of their schedules, and the first that fails tells most.
    const std::size_t count = ended ? std::min(ended->run, run.runs.size()) : run.runs.size();
    if (auto wrong = judge_runs(exercise, test_case, run, count)) {
      return *wrong;
    }
    if (!ended) {
      return {.verdict = Verdict::pass, .violations = {}, .summary = "pass", .run = 0};
    }
    if (is_of_the_submission(ended->verdict)) {
      blame(exercise, test_case, run, *ended);
    }
    return *ended;
  } catch (const std::exception& error) {
    Judgement judgement =
        tampering(std::string("the observations cannot be read: ") + error.what(), 0);
    blame_rule(main_rule(test_case), judgement);
    return judgement;
  }
}

Judgement judge_unbuilt(const Case& test_case, const std::string& why) {
  Judgement judgement;
  judgement.verdict = Verdict::build_failed;
  judgement.summary = "does not compile with this case's types: " + why;
  blame_rule(main_rule(test_case), judgement);
  return judgement;
}

Judgement judge_includes(const Case& test_case, const std::vector<std::string>& foreign) {
  Judgement judgement{.verdict = Verdict::pass, .violations = {}, .summary = "pass", .run = 0};
  for (const std::string& sentence : foreign) {
    judgement.verdict = Verdict::wrong;
    Violation violation = finding("includes", std::nullopt, sentence);
    violation.rule = main_rule(test_case);
    judgement.violations.push_back(std::move(violation));
  }
  if (!foreign.empty()) {
    judgement.summary = main_rule(test_case) + ": " + foreign.front();
  }
  return judgement;
}

}  // namespace driver
