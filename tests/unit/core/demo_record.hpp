// SPDX-License-Identifier: MIT
//
// The record of a check that never ran: two cases of the demo exercise, one passed, one wrong.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/report.hpp"

namespace driver::testing {

/// Gives an exercise with the rules S1 and S2 and the report keys results and outcome.
inline Exercise demo_exercise() {
  Exercise exercise;
  exercise.slug = "demo";
  exercise.config = {{"files", {"solution.hpp"}}, {"report_keys", {"results", "outcome"}}};
  exercise.rules = {{{"id", "S1"}, {"sentence", "One is one."}, {"section", "x"}},
                    {{"id", "S2"}, {"sentence", "Two is two."}, {"section", "x"}}};
  return exercise;
}

/// Gives a case that was run 24 times and judged; its run has three events at 0, 1 and 1.5 s.
inline CheckedCase demo_case(const std::string& name, Verdict verdict) {
  CheckedCase checked;
  checked.test_case = {name, {{"name", name}, {"rules", {"S2"}}}};
  RunLog run;
  run.schedule = "fifo";
  run.report = {{"outcome", "ok"}, {"results", {1}}, {"extra", true}};
  run.observed = {{"ended", 1.5}};
  run.events = {{0, "pull", {{"item", 7}, {"k", 1}}},
                {1'000'000'000, "yield", {{"result", 70}}},
                {1'500'000'000, "end", nlohmann::json::object()}};
  checked.run.runs = {run};
  checked.judgement.verdict = verdict;
  checked.runs = 24;
  return checked;
}

/// Gives a violation of `rule` at one second.
inline Violation demo_violation(const std::string& rule) {
  return {rule, "lead", 1'000'000'000, "pulled too much", 3, 4};
}

/// Gives a record with the case "good", which passed, and "bad", which broke S2.
inline CheckRecord demo_record() {
  CheckRecord record;
  record.submission.files = {{"solution.hpp", "abc", "sha256:1"}};
  record.submission.digest = "sha256:2";
  record.kit_digest = "sha256:3";
  record.compiler = "clang 19.1.7";
  record.command = "ol check demo .";
  record.schedule = "fifo";
  record.build.is_ok = true;
  record.cases = {demo_case("good", Verdict::pass), demo_case("bad", Verdict::wrong)};
  record.cases[1].judgement.violations = {demo_violation("S2")};
  record.cases[1].judgement.summary = "S2: pulled too much";
  return record;
}

}  // namespace driver::testing
