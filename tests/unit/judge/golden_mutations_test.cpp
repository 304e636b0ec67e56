// SPDX-License-Identifier: MIT
//
// Goldens with one thing made wrong: each must fail, by the check that knows best.

#include "tests/unit/judge/golden_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace driver::testing_support {
namespace {

using Events = std::vector<Event>;

/// One way to spoil a golden, and the check that must see it first.
struct Mutation {
  const char* name;
  const char* golden;
  std::function<void(RunLog&)> spoil;
  const char* check;
};

/// The place of the first event with this name and these fields.
Events::iterator find(RunLog& log, const std::string& name, const json& fields = json::object()) {
  return std::find_if(log.events.begin(), log.events.end(), [&](const Event& event) {
    json both = event.fields;
    both.update(fields);
    return event.name == name && both == event.fields;
  });
}

void drop(RunLog& log, const std::string& name, const json& fields = json::object()) {
  log.events.erase(find(log, name, fields));
}

void put(RunLog& log, Event event) {
  const auto place = std::upper_bound(
      log.events.begin(), log.events.end(), event,
      [](const Event& left, const Event& right) { return left.time_ns < right.time_ns; });
  log.events.insert(place, std::move(event));
}

/// Moves an event to another time, behind what happens then.
void move(RunLog& log, double seconds, const std::string& name, const json& fields) {
  Event event = *find(log, name, fields);
  drop(log, name, fields);
  event.time_ns = from_seconds(seconds);
  put(log, std::move(event));
}

const std::vector<Mutation>& mutations() {
  static const std::vector<Mutation> all = {
      {"YieldDropped", "finish_order", [](RunLog& log) { drop(log, "yield", {{"result", 10}}); },
       "results.missing"},
      {"YieldDoubled", "finish_order", [](RunLog& log) { put(log, yield(0.2, 10)); }, "results"},
      {"YieldDelayed", "finish_order",
       [](RunLog& log) { move(log, 0.25, "yield", {{"result", 10}}); }, "results.late"},
      {"YieldsInInputOrder", "finish_order",
       [](RunLog& log) {
         move(log, 0.3, "yield", {{"result", 10}});
         move(log, 0.3, "yield", {{"result", 20}});
       },
       "order"},
      {"CancelShifted", "hang_single",
       [](RunLog& log) { move(log, 0.9, "cancel_seen", {{"item", 0}}); }, "deadline.early"},
      {"CancelDropped", "hang_then_ok",
       [](RunLog& log) {
         log.events.erase(find(log, "cancel_seen"));
         find(log, "attempt_end", {{"how", "cancelled"}})->time_ns += 50;
       },
       "deadline"},
      {"AttemptAdded", "finish_order",
       [](RunLog& log) {
         put(log, start(0.1, 2, 2));
         put(log, end(0.15, 2, "ok", 2));
       },
       "exactly_once.again"},
      {"StartDelayed", "finish_order",
       [](RunLog& log) { move(log, 0.05, "attempt_start", {{"item", 2}}); }, "full_use"},
      {"PullAdded", "one_worker_one_slot",
       [](RunLog& log) {
         drop(log, "pull", {{"k", 4}});
         put(log, pull(0.05, 3, 4));
       },
       "lead"},
      {"MetricsSwapped", "metrics_record_all",
       [](RunLog& log) { find(log, "metrics", {{"event", "ok"}})->fields["detail"] = "99"; },
       "metrics.ok"},
      {"MetricsDropped", "metrics_record_all",
       [](RunLog& log) { drop(log, "metrics", {{"event", "retry"}}); }, "metrics"},
      {"MetricsRenamed", "fail_only",
       [](RunLog& log) { find(log, "metrics")->fields["event"] = "failed"; }, "metrics.failure"},
      {"GroupMemberLost", "two_failures", [](RunLog& log) { log.observed["group"].erase(1); },
       "group.lost"},
      {"GroupMemberReplaced", "hang_single",
       [](RunLog& log) { log.observed["group"][0][1] = "timed out"; }, "group.timeout"},
      {"NormalEndAfterFailure", "fail_only",
       [](RunLog& log) {
         log.observed["group"] = json::array();
         log.report["outcome"] = "ok";
       },
       "group.none"},
      {"RequestAfterFailure", "fail_only",
       [](RunLog& log) {
         put(log, at(0.111, "next", {{"k", 2}}));
         move(log, 0.2, "next", {{"k", 2}});
         move(log, 0.2, "end", json::object());
       },
       "stop.failure"},
      {"EndDelayed", "finish_order", [](RunLog& log) { move(log, 0.9, "end", json::object()); },
       "end_time.idle"},
      {"WorkAfterEnd", "finish_order", [](RunLog& log) { put(log, at(0.9, "next", {{"k", 4}})); },
       "nothing_after_end"},
      {"TaskLeft", "finish_order", [](RunLog& log) { put(log, at(0.3, "task_left")); }, "tasks"},
      {"SourceClosed", "finish_order", [](RunLog& log) { put(log, at(0.2, "source_closed")); },
       "source_open"},
      {"ReportAltered", "finish_order", [](RunLog& log) { log.report["results"] = {0, 10}; },
       "report.results"},
  };
  return all;
}

// One test for all, as reading the goldens takes longer than judging them.
TEST(GoldenMutations, FailByTheCheckThatKnowsBest) {
  for (const Mutation& mutation : mutations()) {
    SCOPED_TRACE(mutation.name);
    const GoldenRun& golden = golden_run(mutation.golden);
    RunLog log = golden.log;
    mutation.spoil(log);

    const Judgement judgement = judge(golden_exercise(), golden.test_case, finished(log));

    EXPECT_EQ(to_string(judgement.verdict), "wrong") << judgement.summary;
    ASSERT_FALSE(judgement.violations.empty());
    EXPECT_EQ(judgement.violations[0].check, mutation.check) << judgement.summary;
    EXPECT_FALSE(judgement.violations[0].rule.empty());
  }
}

/// Every golden is spoiled in ways that no right solution can show, wherever they apply.
TEST(GoldenMutationsOfAll, LosingAnyYieldFails) {
  for (const GoldenRun& golden : golden_runs()) {
    for (const Event& event : golden.log.events) {
      if (event.name != "yield" || golden.name.starts_with("tie_deadline")) {
        continue;
      }
      RunLog log = golden.log;
      drop(log, "yield", event.fields);
      EXPECT_NE(failed_checks(golden.test_case, log), std::set<std::string>{}) << golden.name;
      break;
    }
  }
}

TEST(GoldenMutationsOfAll, LosingAnyMetricsCallFails) {
  for (const GoldenRun& golden : golden_runs()) {
    if (golden.name.starts_with("bad_repr") || golden.name.starts_with("tie_deadline")) {
      continue;
    }
    for (const Event& event : golden.log.events) {
      if (event.name == "metrics") {
        RunLog log = golden.log;
        drop(log, "metrics", event.fields);
        EXPECT_NE(failed_checks(golden.test_case, log), std::set<std::string>{}) << golden.name;
      }
    }
  }
}

TEST(GoldenMutationsOfAll, LosingAnyMemberOfTheGroupFails) {
  for (const GoldenRun& golden : golden_runs()) {
    for (std::size_t index = 0; index < golden.log.observed.at("group").size(); ++index) {
      RunLog log = golden.log;
      log.observed["group"].erase(index);
      EXPECT_NE(failed_checks(golden.test_case, log), std::set<std::string>{}) << golden.name;
    }
  }
}

}  // namespace
}  // namespace driver::testing_support
