// SPDX-License-Identifier: MIT
//
// Traces of stops and of ends, each legal one beside an illegal one.

#include "tests/unit/judge/judged.hpp"

#include <gtest/gtest.h>

namespace driver::testing_support {
namespace {

using Names = std::set<std::string>;

Event next(double seconds, int k) { return at(seconds, "next", {{"k", k}}); }
Event stop(double seconds) { return at(seconds, "stop", {{"by", "clock"}}); }

TEST(StopBefore, AllowsNothingAtAll) {
  const Case stopped = pool_case(2, {{"stop_after", 0}});

  EXPECT_EQ(found_by(check_stop_before, stopped, run_of({stop(0), at(0, "end")})), Names{});
  EXPECT_EQ(found_by(check_stop_before, stopped, run_of({stop(0), next(0, 1), at(0, "end")})),
            Names{"stop_before"});
  EXPECT_EQ(found_by(check_stop_before, stopped, run_of({stop(0), at(0.1, "end")})),
            Names{"stop_before"});
}

TEST(Stop, AllowsARequestInItsInstant) {
  const RunLog log = run_of({next(0, 1), pull(0, 0, 1), stop(0.1), next(0.1, 2)});

  EXPECT_EQ(found_by(check_stop, pool_case(2), log), Names{});
}

TEST(Stop, AllowsAnItemFromARequestBeforeIt) {
  const RunLog log = run_of({next(0, 1), stop(0.1), at(0.1, "source_woken"), pull(0.3, 0, 1)});

  EXPECT_EQ(found_by(check_stop, pool_case(2), log), Names{});
}

TEST(Stop, FailsALaterRequest) {
  const RunLog log = run_of({next(0, 1), pull(0, 0, 1), stop(0.1), next(0.2, 2)});

  EXPECT_EQ(found_by(check_stop, pool_case(2), log), Names{"stop"});
}

TEST(Stop, IsAlsoAFinalFailure) {
  const RunLog log =
      run_of({next(0, 1), pull(0, 0, 1), start(0, 0), end(0.1, 0, "Permanent"), next(0.2, 2)});

  EXPECT_EQ(found_by(check_stop, pool_case(2), log), Names{"stop.failure"});
}

TEST(Stop, IsNotAFailureThatIsRetried) {
  const RunLog log =
      run_of({next(0, 1), pull(0, 0, 1), start(0, 0), end(0.1, 0, "Flaky"), start(0.1, 0, 2),
              next(0.2, 2), pull(0.2, 1, 2), end(0.3, 0, "ok", 2)});

  EXPECT_EQ(found_by(check_stop, pool_case(2), log), Names{});
}

TEST(Stop, WithoutRequestsAllowsOneLateItem) {
  const RunLog one = run_of({stop(0.1), at(0.1, "source_woken"), pull(0.2, 0, 1)});
  const RunLog two = run_of({stop(0.1), pull(0.2, 0, 1), pull(0.3, 1, 2)});

  EXPECT_EQ(found_by(check_stop, pool_case(2), one), Names{});
  EXPECT_EQ(found_by(check_stop, pool_case(2), two), Names{"stop"});
}

TEST(Stop, FailsASourceThatIsNotWoken) {
  const RunLog log = run_of({next(0, 1), stop(0.1), pull(0.3, 0, 1)});

  EXPECT_EQ(found_by(check_stop, pool_case(2), log), Names{"stop.wake"});
}

TEST(SourceFailure, FailsARequestAfterIt) {
  const Event raise = at(0.1, "source_raise", {{"error", "ValueError"}});

  EXPECT_EQ(found_by(check_source_failure, pool_case(2), run_of({next(0, 1), raise})), Names{});
  EXPECT_EQ(found_by(check_source_failure, pool_case(2), run_of({next(0, 1), raise, next(0.1, 2)})),
            Names{"source_failure.again"});
}

TEST(Drain, AllowsTheItemInHandToBeDropped) {
  const RunLog log = run_of(
      {next(0, 1), pull(0, 0, 1), next(0, 2), pull(0, 1, 2), start(0, 0), stop(0.1), end(0.5, 0)});

  EXPECT_EQ(found_by(check_drain, pool_case(2), log), Names{});
}

TEST(Drain, FailsAnItemThatWasQueued) {
  const RunLog other = run_of({pull(0, 0, 1), pull(0, 1, 2), pull(0, 2, 3), start(0, 0), stop(0.1),
                               end(0.5, 0), start(0.5, 2), end(0.6, 2)});
  const RunLog both =
      run_of({pull(0, 0, 1), pull(0, 1, 2), pull(0, 2, 3), start(0, 0), stop(0.1), end(0.5, 0)});

  EXPECT_EQ(found_by(check_drain, pool_case(3), other), Names{"drain"});
  EXPECT_EQ(found_by(check_drain, pool_case(3), both), Names{"drain"});
}

TEST(Drain, FailsTheLastItemWhenTheProducerHadGoneOn) {
  const RunLog asked = run_of({next(0, 1), pull(0, 0, 1), next(0, 2), stop(0.1)});
  const RunLog ended =
      run_of({pull(0, 0, 1), at(0, "source_end"), start(0, 1), end(0.1, 1, "Permanent")});

  EXPECT_EQ(found_by(check_drain, pool_case(1), asked), Names{"drain"});
  EXPECT_EQ(found_by(check_drain, pool_case(2), ended), Names{"drain.failure"});
}

TEST(ExactlyOnce, AllowsEveryItem) {
  const RunLog log = run_of({pull(0, 0, 1), start(0, 0), end(0.1, 0), at(0.1, "end")});

  EXPECT_EQ(found_by(check_exactly_once, pool_case(1), log), Names{});
}

TEST(ExactlyOnce, FailsLostItems) {
  const RunLog lost = run_of({pull(0, 0, 1), at(0.1, "end")});
  const RunLog equal =
      run_of({pull(0, 7, 1), pull(0, 7, 2), start(0, 7), end(0.1, 7), at(0.1, "end")});

  EXPECT_EQ(found_by(check_exactly_once, pool_case(1), lost), Names{"exactly_once"});
  EXPECT_EQ(found_by(check_exactly_once, pool_case(0, {{"items", {7, 7}}}), equal),
            Names{"exactly_once.equal"});
}

TEST(ExactlyOnce, FailsAnEndBeforeTheSourceIsEmpty) {
  const RunLog log = run_of({pull(0, 0, 1), start(0, 0), end(0.1, 0), at(0.1, "end")});

  EXPECT_EQ(found_by(check_exactly_once, pool_case(2), log), Names{"exactly_once.all"});
}

TEST(ExactlyOnce, FailsAnItemThatWasNeverPulled) {
  const RunLog log = run_of({stop(0), start(0, 9), end(0.1, 9)});

  EXPECT_EQ(found_by(check_exactly_once, pool_case(1), log), Names{"exactly_once"});
}

TEST(EndTime, IsThatOfTheLastThingToWaitFor) {
  const Case slow = pool_case(1, {{"caller_delay", 0.3}});
  const std::vector<Event> work = {pull(0, 0, 1), start(0, 0), end(0.1, 0), yield(0.1, 0)};
  const auto ending = [&](double seconds) {
    std::vector<Event> events = work;
    events.push_back(at(seconds, "end"));
    return run_of(events);
  };

  EXPECT_EQ(found_by(check_end_time, pool_case(1), ending(0.1)), Names{});
  EXPECT_EQ(found_by(check_end_time, pool_case(1), ending(0.2)), Names{"end_time.idle"});
  EXPECT_EQ(found_by(check_end_time, slow, ending(0.4)), Names{});
  EXPECT_EQ(found_by(check_end_time, slow, ending(0.5)), Names{"end_time.idle"});
}

TEST(EndTime, WaitsForALingeringSource) {
  const Case lingering = pool_case(1, {{"source", {{"on_cancel", {{"linger", 0.3}}}}}});
  const RunLog log = run_of({next(0, 1), stop(0.1), at(0.1, "source_woken"), at(0.4, "end")});

  EXPECT_EQ(found_by(check_end_time, lingering, log), Names{});
  EXPECT_EQ(found_by(check_end_time, pool_case(1), log), Names{"end_time.empty"});
}

TEST(EndTime, TellsWhatTheProducerWaitedFor) {
  const RunLog source = run_of({pull(0, 0, 1), next(0, 2), stop(0.1), at(0.4, "end")});
  const RunLog queue = run_of({next(0, 1), pull(0, 0, 1), stop(0.1), at(0.4, "end")});

  EXPECT_EQ(found_by(check_end_time, pool_case(1), source), Names{"end_time"});
  EXPECT_EQ(found_by(check_end_time, pool_case(1), queue), Names{"end_time.full_queue"});
}

TEST(NothingAfterEnd, FailsWorkButNotTheDriversOwnDoing) {
  const RunLog own = run_of({at(0.1, "end"), at(0.1, "source_closed")});
  const RunLog work = run_of({start(0, 0), at(0.1, "end"), end(0.2, 0)});
  const RunLog cancelled =
      run_of({start(0, 0), at(0.1, "caller_cancel"), at(0.1, "end"), cancel(0.2, 0, 1)});

  EXPECT_EQ(found_by(check_nothing_after_end, pool_case(1), own), Names{});
  EXPECT_EQ(found_by(check_nothing_after_end, pool_case(1), work), Names{"nothing_after_end"});
  EXPECT_EQ(found_by(check_nothing_after_end, pool_case(1), cancelled),
            Names{"nothing_after_end.cancelled"});
}

TEST(Tasks, FailsThoseThatAreLeft) {
  RunLog counted = run_of({at(0.1, "end")});
  counted.report["task_delta"] = 2;
  const RunLog named = run_of({at(0.1, "end"), at(0.1, "task_left", {{"name", "worker 1"}})});
  const RunLog running = run_of({start(0, 0), at(0.1, "caller_close"), at(0.1, "end")});
  const RunLog abandoned =
      run_of({start(0, 0), cancel(1, 0, 1), cancel(2, 0, 2), cancel(3, 0, 3), at(4, "end")});

  EXPECT_EQ(found_by(check_tasks, pool_case(1), run_of({at(0.1, "end")})), Names{});
  EXPECT_EQ(found_by(check_tasks, pool_case(1), counted), Names{"tasks"});
  EXPECT_EQ(found_by(check_tasks, pool_case(1), named), Names{"tasks"});
  EXPECT_EQ(found_by(check_tasks, pool_case(1), running), Names{"tasks.closed"});
  EXPECT_EQ(found_by(check_tasks, pool_case(1), abandoned), Names{"tasks.abandoned"});
}

TEST(SourceOpen, FailsACloseBeforeTheEnd) {
  EXPECT_EQ(
      found_by(check_source_open, pool_case(1), run_of({at(0.1, "end"), at(0.1, "source_closed")})),
      Names{});
  EXPECT_EQ(
      found_by(check_source_open, pool_case(1), run_of({at(0.1, "source_closed"), at(0.1, "end")})),
      Names{"source_open"});
}

TEST(Unread, FailsAnExceptionThatNobodyRead) {
  EXPECT_EQ(found_by(check_unread, pool_case(1), run_of({at(0, "unread_exception")})),
            Names{"unread"});
}

TEST(Context, FailsASharedOne) {
  RunLog log = run_of({});
  EXPECT_EQ(found_by(check_context, pool_case(1), log), Names{});

  log.report["ctx_ok"] = false;
  EXPECT_EQ(found_by(check_context, pool_case(1), log), Names{"context"});
}

}  // namespace
}  // namespace driver::testing_support
