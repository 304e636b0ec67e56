// SPDX-License-Identifier: MIT
//
// Traces of what comes out of a pool: results, the group, and metrics calls.

#include "tests/unit/judge/judged.hpp"

#include <gtest/gtest.h>

namespace driver::testing_support {
namespace {

using Names = std::set<std::string>;

TEST(Order, AllowsAnyOrderOfOneInstant) {
  const RunLog log =
      run_of({start(0, 0), start(0, 1), end(0.5, 0), end(0.5, 1), yield(0.5, 10), yield(0.5, 0)});

  EXPECT_EQ(found_by(check_order, pool_case(2), log), Names{});
}

TEST(Order, FailsAResultThatIsOvertaken) {
  const RunLog log =
      run_of({start(0, 0), start(0, 1), end(0.5, 1), end(0.6, 0), yield(0.6, 0), yield(0.6, 10)});

  EXPECT_EQ(found_by(check_order, pool_case(2), log), Names{"order"});
}

TEST(Results, AllowsEachSuccessOnce) {
  const RunLog log =
      run_of({start(0, 0), start(0, 1), end(0.5, 0), yield(0.5, 0), end(0.6, 1, "Permanent")});

  EXPECT_EQ(found_by(check_results, pool_case(2), log), Names{});
}

TEST(Results, FailsOneThatComesFromNothing) {
  const RunLog twice = run_of({start(0, 0), end(0.5, 0), yield(0.5, 0), yield(0.5, 0)});
  const RunLog failed = run_of({start(0, 1), end(0.5, 1, "Permanent"), yield(0.5, 10)});

  EXPECT_EQ(found_by(check_results, pool_case(2), twice), Names{"results"});
  EXPECT_EQ(found_by(check_results, pool_case(2), failed), Names{"results"});
}

TEST(Results, FailsOneThatIsLost) {
  const RunLog log = run_of({start(0, 1), end(0.5, 1)});
  const RunLog drained = run_of({start(0, 1), at(0.1, "stop", {{"by", "clock"}}), end(0.5, 1)});

  EXPECT_EQ(found_by(check_results, pool_case(2), log), Names{"results.missing"});
  EXPECT_EQ(found_by(check_results, pool_case(2), drained), Names{"results.drained"});
}

TEST(Results, MayBeMissingWhenTheCallerLeft) {
  const RunLog log = run_of({start(0, 1), end(0.5, 1), at(0.5, "caller_close")});

  EXPECT_EQ(found_by(check_results, pool_case(2), log), Names{});
}

TEST(Results, FailsOneThatIsHeldBack) {
  const RunLog log = run_of({start(0, 1), end(0.5, 1), yield(0.7, 10)});

  EXPECT_EQ(found_by(check_results, pool_case(2), log), Names{"results.late"});
}

TEST(Results, WaitForASlowReader) {
  const Case slow = pool_case(2, {{"caller_delay", 0.2}});
  const RunLog legal =
      run_of({start(0, 0), start(0, 1), end(0.5, 0), yield(0.5, 0), end(0.6, 1), yield(0.7, 10)});
  const RunLog illegal =
      run_of({start(0, 0), start(0, 1), end(0.5, 0), yield(0.5, 0), end(0.6, 1), yield(0.8, 10)});

  EXPECT_EQ(found_by(check_results, slow, legal), Names{});
  EXPECT_EQ(found_by(check_results, slow, illegal), Names{"results.late"});
}

TEST(Results, OfATieMayBeThereOrNot) {
  const RunLog without = run_of({start(0, 1), end(1, 1)});
  const RunLog with = run_of({start(0, 1), end(1, 1), yield(1, 10)});

  EXPECT_EQ(found_by(check_results, pool_case(2), without), Names{});
  EXPECT_EQ(found_by(check_results, pool_case(2), with), Names{});
}

const std::vector<Event>& one_failure() {
  static const std::vector<Event> events = {start(0, 1), end(0.5, 1, "Flaky")};
  return events;
}

const std::pair<std::string, std::string> flaky_1 = {"Flaky", "Flaky from item 1 attempt 1"};

TEST(Group, AllowsExactlyTheFinalFailures) {
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(one_failure(), Group{flaky_1})), Names{});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of({start(0, 1), end(0.5, 1)})), Names{});
}

TEST(Group, FailsANormalEndAfterAFailure) {
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(one_failure())), Names{"group.none"});
}

TEST(Group, FailsABareException) {
  RunLog log = run_of(one_failure());
  log.report["outcome"] = "Flaky";

  EXPECT_EQ(found_by(check_group, pool_case(2), log), Names{"group"});
}

TEST(Group, FailsAnEmptyOne) {
  RunLog log = run_of({start(0, 1), end(0.5, 1)});
  log.report["outcome"] = "ExceptionGroup";

  EXPECT_EQ(found_by(check_group, pool_case(2), log), Names{"group.empty"});
}

TEST(Group, FailsOneThatIsNestedOrTwice) {
  const std::pair<std::string, std::string> nested = {"ExceptionGroup", "worker pool failed"};

  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(one_failure(), {flaky_1, nested})),
            Names{"group"});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(one_failure(), {flaky_1, flaky_1})),
            Names{"group.last"});
}

TEST(Group, FailsAFailureThatIsLost) {
  std::vector<Event> events = one_failure();
  events.insert(events.end(), {start(0.5, 0), end(0.6, 0, "Permanent")});

  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(events, Group{flaky_1})),
            Names{"group.lost"});
}

TEST(Group, FailsTheFailureOfAnEarlierAttempt) {
  const Case retried = pool_case(2, {{"retryable", {"Flaky"}}, {"max_retries", 1}});
  const std::vector<Event> failed = {start(0, 1), end(0.5, 1, "Flaky"), start(0.5, 1, 2),
                                     end(0.6, 1, "Flaky", 2)};
  const std::vector<Event> recovered = {start(0, 1), end(0.5, 1, "Flaky"), start(0.5, 1, 2),
                                        end(0.6, 1, "ok", 2), yield(0.6, 10)};

  EXPECT_EQ(found_by(check_group, retried, run_of(failed, Group{flaky_1})), Names{"group.last"});
  EXPECT_EQ(found_by(check_group, retried, run_of(recovered, Group{flaky_1})),
            Names{"group.recovered"});
}

TEST(Group, NamesTheTextsThatAreGiven) {
  const std::vector<Event> cancelled = {start(0, 1), end(0.5, 1, "cancelled itself")};
  const RunLog self = run_of(cancelled, {{"RuntimeError", "handler cancelled itself"}});
  const RunLog wrong_self = run_of(cancelled, {{"RuntimeError", "cancelled"}});
  const RunLog late = run_of({start(0, 1), cancel(1, 1, 1), end(1, 1, "cancelled")},
                             {{"TimeoutError", "too late"}});

  EXPECT_EQ(found_by(check_group, pool_case(2), self), Names{});
  EXPECT_EQ(found_by(check_group, pool_case(2), wrong_self), (Names{"group", "group.self_cancel"}));
  EXPECT_EQ(found_by(check_group, pool_case(2), late), (Names{"group", "group.timeout"}));
}

TEST(Group, HoldsTheFailureOfTheSource) {
  const std::vector<Event> events = {at(0.2, "source_raise", {{"error", "ValueError"}})};

  EXPECT_EQ(found_by(check_group, pool_case(2),
                     run_of(events, {{"ValueError", "ValueError from the source"}})),
            Names{});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(events)), Names{"source_failure"});
}

TEST(Group, HoldsACancelledSourceOnlyWithoutAnEarlierStop) {
  const Group record = {{"RuntimeError", "source cancelled itself"}};
  const Event raise = at(0.2, "source_raise", {{"error", "CancelledError"}});
  const std::vector<Event> stopped = {at(0.1, "stop", {{"by", "clock"}}), raise};
  const std::vector<Event> tied = {at(0.2, "stop", {{"by", "clock"}}), raise};

  EXPECT_EQ(found_by(check_group, pool_case(2), run_of({raise}, record)), Names{});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of({raise})),
            Names{"source_failure.cancelled"});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(stopped)), Names{});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(stopped, record)),
            Names{"source_failure.woken"});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(tied)), Names{});
  EXPECT_EQ(found_by(check_group, pool_case(2), run_of(tied, record)), Names{});
}

TEST(Group, FailsARunThatEndsAsCancelled) {
  RunLog log = run_of({start(0, 1), end(0.5, 1, "cancelled itself")});
  log.report["outcome"] = "CancelledError";

  EXPECT_EQ(found_by(check_group, pool_case(2), log), Names{"group.cancelled"});
}

Case recorded(json changes = json::object()) {
  changes["metrics"] = "record";
  return pool_case(2, changes);
}

Case recorded_retries() {
  return recorded({{"retryable", {"Flaky", "Unprintable"}}, {"max_retries", 1}});
}

/// A failure that is retried with success, with these calls at the three places.
RunLog retried(std::vector<Event> at_failure, std::vector<Event> after_retry,
               std::vector<Event> at_end, const std::string& how = "Flaky") {
  std::vector<Event> events = {start(0, 1), end(0.5, 1, how)};
  const auto append = [&](const std::vector<Event>& more) {
    events.insert(events.end(), more.begin(), more.end());
  };
  append(at_failure);
  append({start(0.5, 1, 2)});
  append(after_retry);
  append({end(0.6, 1, "ok", 2), yield(0.6, 10)});
  append(at_end);
  return run_of(events);
}

const Event retry_call = metrics(0.5, "retry", "Flaky('Flaky from item 1 attempt 1')");
const Event ok_call = metrics(0.6, "ok", "1");

TEST(Metrics, AllowsOneCallForEachEvent) {
  EXPECT_EQ(found_by(check_metrics, recorded_retries(), retried({retry_call}, {}, {ok_call})),
            Names{});
}

TEST(Metrics, FailsCallsThatAreMissingOrTwice) {
  EXPECT_EQ(found_by(check_metrics, recorded_retries(), retried({}, {}, {ok_call})),
            Names{"metrics"});
  EXPECT_EQ(
      found_by(check_metrics, recorded_retries(), retried({retry_call}, {}, {ok_call, ok_call})),
      Names{"metrics"});
}

TEST(Metrics, FailsARetryThatIsReportedAfterItsStart) {
  EXPECT_EQ(found_by(check_metrics, recorded_retries(), retried({}, {retry_call}, {ok_call})),
            Names{"metrics.order"});
}

TEST(Metrics, FailsWrongDetailsAndNames) {
  EXPECT_EQ(found_by(check_metrics, recorded_retries(),
                     retried({retry_call}, {}, {metrics(0.6, "ok", "10")})),
            Names{"metrics.ok"});
  EXPECT_EQ(found_by(check_metrics, recorded_retries(),
                     retried({metrics(0.5, "retry", "1")}, {}, {ok_call})),
            Names{"metrics.retry"});
  const RunLog failed = run_of({start(0, 1), end(0.5, 1, "Flaky"),
                                metrics(0.5, "failed", "Flaky('Flaky from item 1 attempt 1')")});
  EXPECT_EQ(found_by(check_metrics, recorded(), failed), Names{"metrics.failure"});
}

TEST(Metrics, AllowsNoneOrAnyTextForWhatHasNoRepr) {
  for (const std::vector<Event>& calls :
       {std::vector<Event>{}, std::vector<Event>{metrics(0.5, "retry", "<no repr>")}}) {
    EXPECT_EQ(
        found_by(check_metrics, recorded_retries(), retried(calls, {}, {ok_call}, "Unprintable")),
        Names{});
  }
  const RunLog silent = run_of({start(0, 1), end(0.5, 1), yield(0.5, 10)});
  EXPECT_EQ(found_by(check_metrics, recorded({{"bad_repr", true}}), silent), Names{});
  EXPECT_EQ(found_by(check_metrics, recorded(), silent), Names{"metrics"});
}

TEST(Metrics, CannotTellFailuresAtEqualItemsApart) {
  const Case equal = recorded({{"items", {7, 7}}, {"retryable", {"Flaky"}}, {"max_retries", 1}});
  const RunLog log = run_of({start(0, 7, 1), end(0.5, 7, "Flaky", 1),
                             metrics(0.5, "failure", "Flaky('Flaky from item 7 attempt 1')"),
                             start(0.5, 7, 2), end(0.6, 7, "Flaky", 2),
                             metrics(0.6, "retry", "Flaky('Flaky from item 7 attempt 2')")});

  EXPECT_EQ(found_by(check_metrics, equal, log), Names{});
}

TEST(Metrics, FailsCallsOfACallbackThatIsNotSet) {
  EXPECT_EQ(found_by(check_metrics, pool_case(2), run_of({ok_call})), Names{"metrics"});
}

}  // namespace
}  // namespace driver::testing_support
