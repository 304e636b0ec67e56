// SPDX-License-Identifier: MIT
//
// Traces of producers and workers, each legal one beside an illegal one.

#include "tests/unit/judge/judged.hpp"

#include <gtest/gtest.h>

namespace driver::testing_support {
namespace {

using Names = std::set<std::string>;

TEST(PullOverlap, FailsASecondRequestDuringTheFirst) {
  const RunLog legal =
      run_of({at(0, "next", {{"k", 1}}), pull(0, 0, 1), at(0, "next", {{"k", 2}})});
  const RunLog illegal = run_of({at(0, "next", {{"k", 1}}), at(0.5, "pull_overlap", {{"k", 2}})});

  EXPECT_EQ(found_by(check_pull_overlap, pool_case(2), legal), Names{});
  EXPECT_EQ(found_by(check_pull_overlap, pool_case(2), illegal), Names{"pull_overlap"});
}

TEST(ActiveLimit, AllowsAStartInTheInstantOfAnEnd) {
  const RunLog log = run_of({pull(0, 0, 1), pull(0, 1, 2), pull(0, 2, 3), start(0, 0), start(0, 1),
                             end(0.5, 0), start(0.5, 2), end(0.5, 1), end(1, 2)});

  EXPECT_EQ(found_by(check_active_limit, pool_case(3), log), Names{});
}

TEST(ActiveLimit, FailsAThirdCallOfTwoWorkers) {
  const RunLog log = run_of({start(0, 0), start(0, 1), start(0, 2), end(0.5, 0)});

  EXPECT_EQ(found_by(check_active_limit, pool_case(3), log), Names{"active_limit"});
}

TEST(ActiveLimit, NamesAnAbandonedAttempt) {
  const RunLog log = run_of(
      {start(0, 0), start(0, 1), cancel(1, 0, 1), cancel(2, 0, 2), cancel(3, 0, 3), start(4, 2)});

  EXPECT_EQ(found_by(check_active_limit, pool_case(3), log), Names{"active_limit.abandoned"});
}

TEST(FullUse, AllowsABusyPoolAndAnOrderWithinTheInstant) {
  const RunLog log = run_of({pull(0, 0, 1), start(0, 0), pull(0, 1, 2), pull(0, 2, 3), start(0, 1),
                             end(0.5, 1), start(0.5, 2), end(0.6, 2), end(0.7, 0)});

  EXPECT_EQ(found_by(check_full_use, pool_case(3), log), Names{});
}

TEST(FullUse, FailsAnIdleWorkerBesideAWaitingItem) {
  const RunLog log =
      run_of({pull(0, 0, 1), pull(0, 1, 2), start(0, 0), end(0.5, 0), start(0.5, 1), end(0.9, 1)});

  EXPECT_EQ(found_by(check_full_use, pool_case(2), log), Names{"full_use"});
  EXPECT_EQ(found_by(check_full_use, pool_case(2, {{"caller_delay", 0.1}}), log),
            Names{"full_use.slow_reader"});
}

TEST(FullUse, AllowsOneDroppedItemAfterAStop) {
  const RunLog log = run_of({pull(0, 0, 1), pull(0, 1, 2), pull(0, 2, 3), start(0, 0), start(0, 1),
                             at(0.1, "stop", {{"by", "clock"}}), end(0.5, 0), end(0.6, 1)});

  EXPECT_EQ(found_by(check_full_use, pool_case(3), log), Names{});
}

TEST(FullUse, FailsASecondWaitingItemAfterAStop) {
  const RunLog log =
      run_of({pull(0, 0, 1), pull(0, 1, 2), pull(0, 2, 3), pull(0, 3, 4), start(0, 0), start(0, 1),
              at(0.1, "stop", {{"by", "clock"}}), end(0.5, 0), end(0.6, 1)});

  EXPECT_EQ(found_by(check_full_use, pool_case(4), log), Names{"full_use"});
}

TEST(FullUse, CountsEqualItemsApart) {
  const Case equal = pool_case(0, {{"items", {7, 7, 7}}});
  const RunLog log = run_of({pull(0, 7, 1), pull(0, 7, 2), start(0, 7, 1), end(0.5, 7, "ok", 1),
                             start(0.5, 7, 2), end(0.9, 7, "ok", 2)});

  EXPECT_EQ(found_by(check_full_use, equal, log), Names{"full_use"});
}

TEST(FullUse, SaysNothingOnceTheCallerHasLeft) {
  const RunLog log = run_of({pull(0, 0, 1), pull(0, 1, 2), start(0, 0), start(0, 1),
                             pull(0.2, 2, 3), at(0.3, "caller_cancel"), end(0.3, 0, "cancelled")});

  EXPECT_EQ(found_by(check_full_use, pool_case(3), log), Names{});
}

TEST(Fifo, AllowsAnyOrderWithinAnInstant) {
  const RunLog log = run_of({pull(0, 0, 1), pull(0, 1, 2), start(0, 1), start(0, 0)});

  EXPECT_EQ(found_by(check_fifo, pool_case(2), log), Names{});
}

TEST(Fifo, FailsAnItemThatIsOvertaken) {
  const RunLog log = run_of(
      {pull(0, 0, 1), pull(0, 1, 2), pull(0, 2, 3), start(0, 0), start(0.5, 2), start(0.7, 1)});

  EXPECT_EQ(found_by(check_fifo, pool_case(3), log), Names{"fifo"});
}

TEST(Lead, AllowsQueueWorkersAndOneInHand) {
  std::vector<Event> events;
  for (int item = 0; item < 5; ++item) {
    events.push_back(pull(0, item, item + 1));
  }

  EXPECT_EQ(found_by(check_lead, pool_case(9), run_of(events)), Names{});
  events.push_back(pull(0, 5, 6));
  EXPECT_EQ(found_by(check_lead, pool_case(9), run_of(events)), Names{"lead"});
}

TEST(Lead, CountsAnItemUntilItsLastAttempt) {
  const Case retried = pool_case(9, {{"workers", 1}, {"queue_size", 1}});
  const std::vector<Event> events = {
      pull(0, 0, 1),   pull(0, 1, 2),    pull(0, 2, 3),       start(0, 0), end(0.5, 0, "Transient"),
      pull(0.5, 3, 4), start(0.5, 0, 2), end(0.9, 0, "ok", 2)};

  EXPECT_EQ(found_by(check_lead, retried, run_of(events)), Names{"lead"});
}

TEST(Lead, BelievesTheReport) {
  RunLog log = run_of({});
  log.report["lead_ok"] = false;

  EXPECT_EQ(found_by(check_lead, pool_case(0), log), Names{"lead"});
}

}  // namespace
}  // namespace driver::testing_support
