// SPDX-License-Identifier: MIT

#include "driver/core/unseen.hpp"

#include <gtest/gtest.h>

#include <set>

namespace driver {
namespace {

using nlohmann::json;

/// Four cases: two that can be drawn, one with ties, one scenario.
Exercise exercise_with_cases(std::size_t count) {
  Exercise exercise;
  exercise.config = {{"unseen", {{"count", count}, {"times", {"limit", "delay"}}}}};
  exercise.cases = {
      {"one", {{"name", "one"}, {"limit", 2.0}, {"items", {1}}, {"plan", {{"delay", {1.0, 0.5}}}}}},
      {"two", {{"name", "two"}, {"limit", 4.0}, {"items", {2}}, {"exhaustive", 100}}},
      {"tied", {{"name", "tied"}, {"limit", 1.0}}},
      {"scenario", {{"name", "scenario"}, {"scenario", "s"}}}};
  exercise.golden = {
      {"one", {{"report", {{"results", {10}}}}, {"observed", {{"timeline", {{{"t", 1.0}}}}}}}},
      {"two", {{"report", {{"results", {20}}}}}},
      {"tied", {{"report", json::object()}, {"tie", true}}},
      {"scenario", {{"observed", json::object()}}}};
  return exercise;
}

TEST(Unseen, AreDrawnFromCasesWithEventsAndWithoutTies) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Exercise exercise = exercise_with_cases(9);
    add_unseen_cases(exercise, seed);

    ASSERT_EQ(exercise.cases.size(), 6U);
    const std::set<std::string> originals{exercise.cases[4].data.at("unseen_of"),
                                          exercise.cases[5].data.at("unseen_of")};
    EXPECT_EQ(originals, (std::set<std::string>{"one", "two"}));
  }
}

TEST(Unseen, HaveAllTimesMultipliedByOneFactor) {
  std::set<double> factors;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Exercise exercise = exercise_with_cases(2);
    add_unseen_cases(exercise, seed);
    const bool is_first = exercise.cases[4].data.at("unseen_of") == "one";
    const Case& drawn = exercise.cases[is_first ? 4 : 5];
    const double factor = drawn.data.at("limit").get<double>() / 2.0;
    factors.insert(factor);

    EXPECT_EQ(drawn.data.at("plan").at("delay"), json({factor, 0.5 * factor}));
    EXPECT_EQ(drawn.data.at("items"), json({1}));
    const json& golden = exercise.golden.at(drawn.name);
    EXPECT_EQ(golden.at("observed").at("timeline").at(0).at("t"), factor);
    EXPECT_EQ(golden.at("report").at("results"), json({10}));
  }
  EXPECT_GE(*factors.begin(), 0.5);
  EXPECT_LE(*factors.rbegin(), 2.0);
  EXPECT_GT(factors.size(), 20U);
}

TEST(Unseen, AreTheSameForASeedAndOthersForAnother) {
  Exercise first = exercise_with_cases(1);
  Exercise second = first;
  add_unseen_cases(first, 7);
  add_unseen_cases(second, 7);
  std::set<std::string> drawn;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Exercise other = exercise_with_cases(1);
    add_unseen_cases(other, seed);
    drawn.insert(other.cases.back().data.dump());
  }

  EXPECT_EQ(first.cases.back().data, second.cases.back().data);
  EXPECT_GT(drawn.size(), 20U);
}

TEST(Unseen, AreNoneWithoutTheExercisesWish) {
  Exercise exercise = exercise_with_cases(0);
  exercise.config.erase("unseen");
  add_unseen_cases(exercise, 1);

  EXPECT_EQ(exercise.cases.size(), 4U);
}

TEST(Unseen, AreMarkedAndNotSearched) {
  Exercise exercise = exercise_with_cases(2);
  add_unseen_cases(exercise, 3);

  EXPECT_FALSE(is_unseen(exercise.cases[0]));
  EXPECT_TRUE(is_unseen(exercise.cases[4]));
  EXPECT_EQ(exercise.cases[4].name, "unseen_1");
  EXPECT_FALSE(exercise.cases[4].data.contains("exhaustive"));
  EXPECT_FALSE(exercise.cases[5].data.contains("exhaustive"));
}

TEST(SeedOf, IsReadFromTheDigest) {
  EXPECT_EQ(seed_of("sha256:0000000000000ff12"), 0xffU);
  EXPECT_NE(seed_of("sha256:0123456789abcdef"), seed_of("sha256:1123456789abcdef"));
  EXPECT_EQ(seed_of(""), 0U);
}

}  // namespace
}  // namespace driver
