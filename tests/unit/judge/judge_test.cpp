// SPDX-License-Identifier: MIT
//
// What the judge makes of a whole case: which verdict, under which rules, from which run.

#include "driver/core/judge.hpp"

#include "tests/unit/judge/judged.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace driver::testing_support {
namespace {

RunLog good_log() {
  return run_of({pull(0, 0, 1), at(0, "source_end"), start(0, 0), end(0.5, 0), yield(0.5, 0),
                 at(0.5, "end")});
}

RunLog bad_log() {
  return run_of({pull(0, 0, 1), at(0, "source_end"), start(0, 0), end(0.5, 0), at(0.5, "end")});
}

Judgement judged(const CaseRun& run, const Exercise& exercise = exercise_with_all_checks()) {
  return judge(exercise, pool_case(1), run);
}

TEST(Judge, PassesACompleteCleanRun) {
  const Judgement judgement = judged(finished(good_log()));

  EXPECT_EQ(judgement.verdict, Verdict::pass);
  EXPECT_TRUE(judgement.violations.empty());
}

TEST(Judge, NeverPassesWithoutEvidence) {
  CaseRun unfinished = finished(good_log());
  unfinished.finished = false;
  CaseRun without_end = finished(good_log());
  without_end.runs[0].events.pop_back();

  EXPECT_EQ(judged(CaseRun()).verdict, Verdict::exited);
  EXPECT_EQ(judged(unfinished).verdict, Verdict::exited);
  EXPECT_EQ(judged(without_end).verdict, Verdict::wrong);
}

TEST(Judge, NamesTheRuleOfABreach) {
  const Judgement judgement = judged(finished(bad_log()));

  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  ASSERT_EQ(judgement.violations.size(), 1U);
  EXPECT_EQ(judgement.violations[0].rule, "results.missing");
  EXPECT_EQ(judgement.violations[0].time_ns, 500'000'000);
  EXPECT_EQ(judgement.summary, "results.missing: result 0 of a successful attempt is not yielded");
}

TEST(Judge, TakesTheRuleOfTheWholeWhenAPartHasNone) {
  Exercise exercise;
  exercise.config = {{"checks", {{{"name", "results"}, {"rule", "S26"}}}}};

  EXPECT_EQ(judged(finished(bad_log()), exercise).violations.at(0).rule, "S26");
}

TEST(Judge, LeavesOutChecksThatTheExerciseDoesNotHave) {
  Exercise exercise;
  exercise.config = {{"checks", {{{"name", "order"}, {"rule", "S24"}}}}};

  EXPECT_EQ(judged(finished(bad_log()), exercise).verdict, Verdict::pass);
}

TEST(Judge, JudgesTheFirstRunThatFails) {
  CaseRun run = finished(good_log());
  run.runs.push_back(bad_log());

  const Judgement judgement = judged(run);

  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  EXPECT_EQ(judgement.run, 1U);
}

TEST(Judge, TellsABreachOfAnEarlierRunBeforeADeadlock) {
  CaseRun run = finished(bad_log());
  RunLog stuck = good_log();
  stuck.complete = false;
  stuck.fatal = Fatal{.kind = "deadlock", .detail = json::object()};
  run.runs.push_back(stuck);

  const Judgement judgement = judged(run);

  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  EXPECT_EQ(judgement.run, 0U);
}

TEST(Judge, ChecksALateRunForWhatHoldsOnASlowMachine) {
  // The attempt ends long after its deadline, which a slow machine may be the cause of ...
  RunLog slow = run_of({pull(0, 0, 1), at(0, "source_end"), start(0, 0), end(1.5, 0), yield(1.5, 0),
                        at(1.5, "end")});
  // ... but it is the cause of no second pull during the first.
  RunLog wrong = slow;
  wrong.events.insert(wrong.events.begin() + 1, at(0, "pull_overlap"));

  EXPECT_EQ(judged(finished(slow)).verdict, Verdict::wrong);
  slow.schedule = wrong.schedule = "late:1";
  EXPECT_EQ(judged(finished(slow)).verdict, Verdict::pass);
  EXPECT_EQ(judged(finished(wrong)).violations.at(0).check, "pull_overlap");
}

TEST(Judge, PutsTheEarliestBreachFirst) {
  RunLog log = bad_log();
  log.events.insert(log.events.begin() + 1, at(0, "pull_overlap"));

  EXPECT_EQ(judged(finished(log)).violations.at(0).check, "pull_overlap");
}

TEST(Judge, BlamesTheCasesRuleForADeadlock) {
  CaseRun run = finished(good_log());
  run.finished = false;
  run.runs[0].complete = false;
  run.runs[0].fatal = Fatal{.kind = "deadlock", .detail = json::object()};

  const Judgement judgement = judged(run);

  EXPECT_EQ(judgement.verdict, Verdict::deadlock);
  ASSERT_EQ(judgement.violations.size(), 1U);
  EXPECT_EQ(judgement.violations[0].rule, "R0");
}

TEST(Judge, BlamesABreachOnTheWayToADeadlock) {
  CaseRun run = finished(run_of({pull(0, 0, 1), start(0, 0), at(0.1, "pull_overlap")}));
  run.finished = false;
  run.runs[0].fatal = Fatal{.kind = "deadlock", .detail = json::object()};

  EXPECT_EQ(judged(run).violations.at(0).rule, "pull_overlap");
}

TEST(Judge, BlamesTheSubmissionForRecordsThatCannotBeRight) {
  CaseRun run = finished(good_log());
  run.protocol_error = "frame 0: wrong token";

  const Judgement judgement = judged(run);

  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  EXPECT_EQ(judgement.summary, "the submission interfered with the grading: frame 0: wrong token");
  EXPECT_EQ(judgement.violations.at(0).rule, "R0");
}

TEST(Judge, BlamesTheSubmissionForEventsOfAWrongForm) {
  for (const Event& event :
       {at(0, "pull"), at(0, "attempt_end", {{"item", 0}, {"n", 1}, {"how", "ok"}}),
        at(0, "yield", {{"result", "x"}}), at(0, "stop", {{"by", 1}}),
        at(0, "attempt_start", {{"item", 0}, {"n", 7}})}) {
    RunLog log = good_log();
    log.events.insert(log.events.begin(), event);

    const Judgement judgement = judged(finished(log));

    EXPECT_EQ(judgement.verdict, Verdict::wrong) << event.name;
    EXPECT_TRUE(judgement.summary.starts_with("the submission interfered")) << judgement.summary;
  }
}

TEST(Judge, SurvivesReportsOfAnyForm) {
  for (const json& value : {json(), json(1), json("x"), json::array({1, "x"})}) {
    RunLog log = good_log();
    log.report = {{"lead_ok", value}, {"ctx_ok", value}, {"task_delta", value}, {"outcome", value}};
    log.observed = {{"group", value}};

    EXPECT_NE(judged(finished(log)).verdict, Verdict::pass);
  }
}

TEST(Judge, ReportsKeysThatDifferFromTheGolden) {
  Exercise exercise = exercise_with_all_checks();
  exercise.golden = {{"made up", {{"report", {{"results", {5}}, {"ctx_ok", true}}}}}};

  const Judgement judgement = judged(finished(good_log()), exercise);

  ASSERT_EQ(judgement.violations.size(), 1U);
  EXPECT_EQ(judgement.violations[0].check, "report.results");
  EXPECT_EQ(judgement.violations[0].rule, "R1");
  EXPECT_EQ(judgement.violations[0].expected, json({5}));
}

TEST(Judge, ComparesAScenarioWithItsGolden) {
  Exercise exercise = exercise_with_all_checks();
  exercise.golden = {{"s", {{"observed", {{"tasks", 0}}}}}};
  const Case scenario = {.name = "s", .data = {{"scenario", "s"}, {"rules", {"S72"}}}};
  RunLog log;
  log.complete = true;
  log.observed = {{"tasks", 0}};
  RunLog left = log;
  left.observed = {{"tasks", 2}};

  EXPECT_EQ(judge(exercise, scenario, finished(log)).verdict, Verdict::pass);
  const Judgement judgement = judge(exercise, scenario, finished(left));
  EXPECT_EQ(judgement.verdict, Verdict::wrong);
  EXPECT_EQ(judgement.violations.at(0).rule, "S72");
  EXPECT_EQ(judgement.violations.at(0).check, "scenario.tasks");
}

TEST(Judge, FailsAScenarioThatLeavesTasks) {
  const Case scenario = {.name = "s", .data = {{"scenario", "s"}}};
  RunLog log;
  log.complete = true;
  log.observed = json::object();
  log.events = {at(1, "task_left", {{"name", "worker"}})};

  EXPECT_EQ(judge(exercise_with_all_checks(), scenario, finished(log)).violations.at(0).check,
            "tasks");
}

// An exercise that has a matrix form and nothing of a worker pool.
Exercise exercise_without_trace() {
  Exercise exercise;
  exercise.config = json::parse(R"({
    "checks": [{"name": "tasks", "rule": "P28"}, {"name": "unfinished", "rule": "P15"},
               {"name": "blocked the loop", "rule": "D43"}],
    "report_rules": {"results": "P1", "calls": "P3"}})");
  exercise.golden = {{"m", {{"report", {{"results", {1, 2}}, {"calls", 2}}}}}};
  return exercise;
}

const Case matrix_case = {
    .name = "m",
    .data = {{"rules", {"P2"}}, {"rules_by_key", {{"results", "P13"}}}, {"items", {1, 2}}}};

RunLog matrix_log(json results, std::vector<Event> events = {}) {
  RunLog log;
  log.complete = true;
  log.report = {{"results", std::move(results)}, {"calls", 2}};
  log.events = std::move(events);
  return log;
}

TEST(JudgeWithoutTrace, ComparesTheReportAndLooksAtLeftovers) {
  const Exercise exercise = exercise_without_trace();

  const auto passed = judge(exercise, matrix_case, finished(matrix_log({1, 2})));
  const auto left =
      judge(exercise, matrix_case,
            finished(matrix_log({1, 2}, {at(1, "unfinished_queue", {{"count", 3}})})));

  EXPECT_EQ(passed.verdict, Verdict::pass);
  ASSERT_EQ(left.violations.size(), 1U);
  EXPECT_EQ(left.violations[0].rule, "P15");
  EXPECT_EQ(left.violations[0].actual, 3);
}

TEST(JudgeWithoutTrace, TakesTheRuleOfTheCaseBeforeThatOfTheExercise) {
  const Exercise exercise = exercise_without_trace();
  RunLog wrong = matrix_log({2, 1});
  wrong.report["calls"] = 3;

  const auto judgement = judge(exercise, matrix_case, finished(wrong));

  ASSERT_EQ(judgement.violations.size(), 2U);
  EXPECT_EQ(judgement.violations[0].rule, "P3");
  EXPECT_EQ(judgement.violations[1].rule, "P13");
}

TEST(JudgeWithoutTrace, BlamesTheRuleThatTheExerciseNamesForAVerdict) {
  CaseRun run = finished(matrix_log({1, 2}));
  run.finished = false;
  run.runs[0].complete = false;
  run.runs[0].fatal = Fatal{.kind = "blocked", .detail = {{"call", "nanosleep"}}};

  const auto judgement = judge(exercise_without_trace(), matrix_case, run);

  EXPECT_EQ(judgement.verdict, Verdict::blocked);
  EXPECT_EQ(judgement.violations.at(0).rule, "D43");
}

}  // namespace
}  // namespace driver::testing_support
