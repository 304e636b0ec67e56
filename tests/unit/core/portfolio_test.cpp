// SPDX-License-Identifier: MIT

#include "driver/core/portfolio.hpp"

#include "driver/protocol/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace driver {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::StartsWith;

Case case_with(nlohmann::json data = nlohmann::json::object()) { return {"case", std::move(data)}; }

TEST(Portfolio, OfOneIsFifo) { EXPECT_THAT(schedules_for(case_with(), {1}), ElementsAre("fifo")); }

TEST(Portfolio, StartsWithFifoAndLifoAndMixesTheRest) {
  EXPECT_THAT(schedules_for(case_with(), {9}),
              ElementsAre("fifo", "lifo", "random:1", "random:2", "pos:3", "random:4", "pct:5",
                          "late:6", "random:7"));
}

TEST(Portfolio, HasNoLateTimersForAScenario) {
  EXPECT_THAT(schedules_for(case_with({{"scenario", "x"}}), {50}), Each(Not(StartsWith("late"))));
}

TEST(Portfolio, NamesOnlySchedulesThatExistAndNoneTwice) {
  const auto schedules = schedules_for(case_with({{"exhaustive", 100}}), {200});

  EXPECT_EQ(std::set<std::string>(schedules.begin(), schedules.end()).size(), schedules.size());
  for (const std::string& schedule : schedules) {
    EXPECT_TRUE(protocol::parse_schedule(schedule)) << schedule;
  }
}

TEST(Portfolio, GivesACostlyCaseFewerButTwo) {
  EXPECT_EQ(schedules_for(case_with({{"cost", 3}}), {24}).size(), 8U);
  EXPECT_EQ(schedules_for(case_with({{"cost", 1000}}), {24}).size(), 2U);
  EXPECT_EQ(schedules_for(case_with({{"cost", 1000}}), {1}).size(), 1U);
}

TEST(Portfolio, SearchesWhereACaseAsksForIt) {
  EXPECT_EQ(schedules_for(case_with({{"exhaustive", 500}}), {24}).back(), "exhaustive:500");
  EXPECT_EQ(schedules_for(case_with({{"exhaustive", 500}}), {2}).back(), "lifo");
}

TEST(Portfolio, HasOtherSeedsInEveryRound) {
  std::set<std::string> seen;
  std::size_t count = 0;
  for (std::uint64_t round = 0; round < 20; ++round) {
    for (const std::string& schedule : schedules_for(case_with(), {24, round})) {
      seen.insert(schedule);
      ++count;
    }
  }

  EXPECT_EQ(seen.size(), count);
}

}  // namespace
}  // namespace driver
