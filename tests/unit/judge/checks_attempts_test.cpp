// SPDX-License-Identifier: MIT
//
// Traces of single attempts and their retries, each legal one beside an illegal one.

#include "tests/unit/judge/judged.hpp"

#include <gtest/gtest.h>

namespace driver::testing_support {
namespace {

using Names = std::set<std::string>;

TEST(Deadline, AllowsACancelAtTheDeadlineToTheNanosecond) {
  for (const std::int64_t off : {-1, 0, 1}) {
    Event late = cancel(1, 0, 1);
    late.time_ns += off;
    Event over = end(1, 0, "cancelled");
    over.time_ns += off;

    EXPECT_EQ(found_by(check_deadline, pool_case(1), run_of({start(0, 0), late, over})), Names{});
  }
}

TEST(Deadline, AllowsAReturnInTheInstantOfTheDeadline) {
  const RunLog log = run_of({start(0, 0), end(1, 0)});

  EXPECT_EQ(found_by(check_deadline, pool_case(1), log), Names{});
}

TEST(Deadline, FailsAnAttemptThatIsNotCancelled) {
  const RunLog log = run_of({start(0, 0), end(1.5, 0)});

  EXPECT_EQ(found_by(check_deadline, pool_case(1), log), Names{"deadline"});
}

TEST(Deadline, FailsACancelThatComesLate) {
  const RunLog log = run_of({start(0, 0), cancel(1.1, 0, 1), end(1.1, 0, "cancelled")});

  EXPECT_EQ(found_by(check_deadline, pool_case(1), log), Names{"deadline"});
}

TEST(Deadline, FailsACancelThatComesEarly) {
  const RunLog first = run_of({start(0, 0), cancel(0.5, 0, 1), end(0.5, 0, "cancelled")});
  const RunLog retry = run_of({start(0, 0), end(0.5, 0, "Transient"), start(0.5, 0, 2),
                               cancel(1, 0, 1, 2), end(1, 0, "cancelled", 2)});

  EXPECT_EQ(found_by(check_deadline, pool_case(1), first), Names{"deadline.early"});
  EXPECT_EQ(found_by(check_deadline, pool_case(1), retry), Names{"deadline.retry"});
}

TEST(Deadline, SaysNothingOfAttemptsThatTheCallerLeft) {
  const RunLog log = run_of({start(0, 0), at(0.3, "caller_close"), cancel(0.3, 0, 1),
                             cancel(1.3, 0, 2), end(1.4, 0, "late")});

  EXPECT_EQ(found_by(check_deadline, pool_case(1), log), Names{});
  EXPECT_EQ(found_by(check_cancel_rounds, pool_case(1), log), Names{});
}

TEST(CancelRounds, AllowsThreeOneTimeoutApart) {
  const RunLog log =
      run_of({start(0, 0), cancel(1, 0, 1), cancel(2, 0, 2), cancel(3, 0, 3), end(9, 0, "late")});

  EXPECT_EQ(found_by(check_cancel_rounds, pool_case(1), log), Names{});
}

TEST(CancelRounds, AllowsAnEndInTheInstantOfTheNext) {
  const RunLog log = run_of({start(0, 0), cancel(1, 0, 1), end(2, 0, "late")});

  EXPECT_EQ(found_by(check_cancel_rounds, pool_case(1), log), Names{});
}

TEST(CancelRounds, FailsAMissingOne) {
  const RunLog log = run_of({start(0, 0), cancel(1, 0, 1), end(2.5, 0, "late")});

  EXPECT_EQ(found_by(check_cancel_rounds, pool_case(1), log), Names{"cancel_rounds"});
}

TEST(CancelRounds, FailsAFourth) {
  const RunLog log = run_of({start(0, 0), cancel(1, 0, 1), cancel(2, 0, 2), cancel(3, 0, 3),
                             cancel(4, 0, 4), end(4, 0, "cancelled")});

  EXPECT_EQ(found_by(check_cancel_rounds, pool_case(1), log), Names{"cancel_rounds.limit"});
}

TEST(CancelRounds, FailsOneThatDoesNotWait) {
  const RunLog log =
      run_of({start(0, 0), cancel(1, 0, 1), cancel(1.1, 0, 2), end(1.1, 0, "cancelled")});

  EXPECT_EQ(found_by(check_cancel_rounds, pool_case(1), log), Names{"cancel_rounds.spacing"});
}

TEST(AttemptOverlap, AllowsARetryInTheInstantOfTheEnd) {
  const RunLog log = run_of({start(0, 0), end(0.5, 0, "Flaky"), start(0.5, 0, 2)});

  EXPECT_EQ(found_by(check_attempt_overlap, pool_case(1), log), Names{});
}

TEST(AttemptOverlap, FailsARetryBesideItsPredecessor) {
  const RunLog log = run_of({start(0, 0), cancel(1, 0, 1), start(1, 0, 2), end(1, 0, "late")});

  EXPECT_EQ(found_by(check_attempt_overlap, pool_case(1), log), Names{"attempt_overlap"});
}

TEST(AttemptOverlap, AllowsEqualItemsSideBySide) {
  const Case equal = pool_case(0, {{"items", {7, 7}}});
  const RunLog log = run_of({start(0, 7, 1), start(0, 7, 2), end(1, 7, "ok", 1)});

  EXPECT_EQ(found_by(check_attempt_overlap, equal, log), Names{});
}

TEST(LateOutcome, FailsTheValueOfALateAttempt) {
  const std::vector<Event> late = {start(0, 1), cancel(1, 1, 1), end(1, 1, "late")};
  std::vector<Event> used = late;
  used.push_back(yield(1, 10));

  EXPECT_EQ(found_by(check_late_outcome, pool_case(2), run_of(late)), Names{});
  EXPECT_EQ(found_by(check_late_outcome, pool_case(2), run_of(used)), Names{"late_outcome"});
}

TEST(LateOutcome, FailsTheExceptionOfALateAttempt) {
  const std::vector<Event> events = {start(0, 1), cancel(1, 1, 1), end(1, 1, "ValueError")};

  EXPECT_EQ(found_by(check_late_outcome, pool_case(2),
                     run_of(events, {{"TimeoutError", "item timed out"}})),
            Names{});
  EXPECT_EQ(found_by(check_late_outcome, pool_case(2),
                     run_of(events, {{"ValueError", "ValueError from item 1 attempt 1"}})),
            Names{"late_outcome.error"});
}

/// One item whose attempts end as given, each in 0.1 s.
RunLog attempts(const std::vector<std::string>& ends) {
  std::vector<Event> events = {pull(0, 0, 1)};
  for (std::size_t index = 0; index < ends.size(); ++index) {
    const int n = static_cast<int>(index) + 1;
    events.push_back(start(0.1 * static_cast<double>(index), 0, n));
    events.push_back(end(0.1 * static_cast<double>(index + 1), 0, ends[index], n));
  }
  return run_of(events);
}

Case retrying(const std::vector<std::string>& classes, int retries) {
  return pool_case(1, {{"retryable", classes}, {"max_retries", retries}});
}

TEST(Retry, AllowsExactlyTheRetriesThatAreDue) {
  const Case two = retrying({"Transient"}, 2);

  EXPECT_EQ(found_by(check_retry, two, attempts({"Transient", "TransientChild", "ok"})), Names{});
  EXPECT_EQ(found_by(check_retry, two, attempts({"Transient", "Transient", "Transient"})), Names{});
  EXPECT_EQ(found_by(check_retry, two, attempts({"Transient", "Permanent"})), Names{});
}

TEST(Retry, FailsOneTooMany) {
  EXPECT_EQ(
      found_by(check_retry, retrying({"Transient"}, 1), attempts({"Transient", "Transient", "ok"})),
      Names{"retry"});
  EXPECT_EQ(found_by(check_retry, retrying({"Transient"}, 0), attempts({"Transient", "ok"})),
            Names{"retry.zero"});
  EXPECT_EQ(found_by(check_retry, retrying({"Transient"}, 3), attempts({"Permanent", "ok"})),
            Names{"retry.class"});
  EXPECT_EQ(found_by(check_retry, retrying({"Transient"}, 3), attempts({"ok", "ok"})),
            Names{"exactly_once.again"});
}

TEST(Retry, FailsOneTooFew) {
  EXPECT_EQ(found_by(check_retry, retrying({"Transient"}, 1), attempts({"Transient"})),
            Names{"retry"});
  EXPECT_EQ(found_by(check_retry, retrying({"Transient"}, 1), attempts({"TransientChild"})),
            Names{"retry.subclass"});
  EXPECT_EQ(found_by(check_retry, retrying({"Exception"}, 1), attempts({"Permanent"})),
            Names{"retry.subclass"});
}

TEST(Retry, FailsOneThatIsPutOff) {
  const RunLog log =
      run_of({start(0, 0), end(0.1, 0, "Flaky"), start(0.2, 0, 2), end(0.3, 0, "ok", 2)});

  EXPECT_EQ(found_by(check_retry, retrying({"Flaky"}, 1), log), Names{"retry.delay"});
}

RunLog timed_out(bool retried) {
  std::vector<Event> events = {start(0, 0), cancel(1, 0, 1), end(1, 0, "cancelled")};
  if (retried) {
    events.push_back(start(1, 0, 2));
    events.push_back(end(1.1, 0, "ok", 2));
  }
  return run_of(events);
}

TEST(Retry, TakesATimeoutThatIsListed) {
  EXPECT_EQ(found_by(check_retry, retrying({"TimeoutError"}, 1), timed_out(true)), Names{});
  EXPECT_EQ(found_by(check_retry, retrying({"TimeoutError"}, 1), timed_out(false)),
            Names{"retry.timeout"});
  EXPECT_EQ(found_by(check_retry, retrying({"Transient"}, 1), timed_out(true)),
            Names{"retry.timeout"});
}

TEST(Retry, LeavesOpenWhetherABaseClassCoversATimeout) {
  for (const char* base : {"OSError", "Exception"}) {
    EXPECT_EQ(found_by(check_retry, retrying({base}, 1), timed_out(true)), Names{});
    EXPECT_EQ(found_by(check_retry, retrying({base}, 1), timed_out(false)), Names{});
  }
}

TEST(Retry, FailsOneThatAStopPrevented) {
  const RunLog log =
      run_of({start(0, 0), at(0.05, "stop", {{"by", "clock"}}), end(0.1, 0, "Flaky")});

  EXPECT_EQ(found_by(check_retry, retrying({"Flaky"}, 1), log), Names{"retry.after_stop"});
}

TEST(Retry, NamesABudgetThatItemsShare) {
  const RunLog log = run_of({start(0, 0), end(0.1, 0, "Flaky"), start(0.1, 0, 2),
                             end(0.2, 0, "ok", 2), start(0.2, 1), end(0.3, 1, "Flaky")});

  EXPECT_EQ(
      found_by(check_retry, pool_case(2, {{"retryable", {"Flaky"}}, {"max_retries", 1}}), log),
      Names{"retry.budget"});
}

TEST(Retry, TakesEitherOutcomeOfATie) {
  const RunLog failed = run_of({start(0, 0), end(1, 0), start(1, 0, 2), end(1.1, 0, "ok", 2)});

  EXPECT_EQ(found_by(check_retry, retrying({"TimeoutError"}, 1), failed), Names{});
}

TEST(Retry, OnlyCountsAttemptsAtEqualItems) {
  const Case equal =
      pool_case(0, {{"items", {7, 7}}, {"retryable", {"Flaky"}}, {"max_retries", 1}});
  std::vector<Event> events = {pull(0, 7, 1),        pull(0, 7, 2),           start(0, 7, 1),
                               start(0, 7, 2),       end(0.1, 7, "Flaky", 1), start(0.1, 7, 3),
                               end(0.1, 7, "ok", 2), end(0.2, 7, "ok", 3)};

  EXPECT_EQ(found_by(check_retry, equal, run_of(events)), Names{});
  events.push_back(start(0.2, 7, 4));
  EXPECT_EQ(found_by(check_retry, equal, run_of(events)), Names{"exactly_once.again"});
}

}  // namespace
}  // namespace driver::testing_support
