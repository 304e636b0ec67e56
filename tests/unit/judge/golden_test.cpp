// SPDX-License-Identifier: MIT
//
// Comparisons with goldens: each must be able to fail.

#include "driver/judge/golden.hpp"

#include "tests/unit/judge/judged.hpp"

#include <gtest/gtest.h>

namespace driver::testing_support {
namespace {

json entry() {
  return {
      {"report", {{"results", {0, 10}}, {"max_lead", 3}}},
      {"observed", {{"timeline", {{{"t", 0.0}, {"ev", "pull"}}, {{"t", 0.5}, {"ev", "pull"}}}}}}};
}

RunLog log_with(json report, std::vector<double> pulls = {0, 0.5}) {
  RunLog log;
  log.report = std::move(report);
  for (const double time : pulls) {
    log.events.push_back(pull(time, 0, 1));
  }
  return log;
}

std::vector<std::string> keys(const std::vector<Difference>& differences) {
  std::vector<std::string> keys;
  for (const Difference& difference : differences) {
    keys.push_back(difference.key);
  }
  return keys;
}

using Keys = std::vector<std::string>;

TEST(Golden, AcceptsTheSameReport) {
  EXPECT_EQ(keys(compare_report(log_with({{"results", {0, 10}}, {"max_lead", 3}}), entry())),
            Keys{});
}

TEST(Golden, AcceptsALowerLeadButNoHigherOne) {
  EXPECT_EQ(keys(compare_report(log_with({{"results", {0, 10}}, {"max_lead", 2}}), entry())),
            Keys{});
  EXPECT_EQ(keys(compare_report(log_with({{"results", {0, 10}}, {"max_lead", 4}}), entry())),
            Keys{"max_lead"});
}

TEST(Golden, RefusesAnotherValueAndAMissingKey) {
  EXPECT_EQ(keys(compare_report(log_with({{"results", {0}}, {"max_lead", 3}}), entry())),
            Keys{"results"});
  EXPECT_EQ(keys(compare_report(log_with({{"max_lead", 3}}), entry())), Keys{"results"});
}

TEST(Golden, AcceptsAnotherReading) {
  json with_reading = entry();
  with_reading["also_allowed"] = {{{"report", {{"results", {0}}, {"max_lead", 3}}}}};

  EXPECT_EQ(keys(compare_report(log_with({{"results", {0}}, {"max_lead", 3}}), with_reading)),
            Keys{});
  EXPECT_EQ(keys(compare_report(log_with({{"results", {1}}, {"max_lead", 3}}), with_reading)),
            Keys{"results"});
}

TEST(Golden, DoesNotDecideATie) {
  json tie = entry();
  tie["tie"] = true;

  EXPECT_EQ(keys(compare_report(log_with({{"results", {1}}}), tie)), Keys{});
}

TEST(Golden, DoesNotDecideWhenTheProducerPulledLaterOrLess) {
  const json other = {{"results", {0}}, {"max_lead", 3}};

  EXPECT_EQ(keys(compare_report(log_with(other, {0, 0.6}), entry())), Keys{});
  EXPECT_EQ(keys(compare_report(log_with(other, {0}), entry())), Keys{});
  EXPECT_EQ(keys(compare_report(log_with(other, {0, 0.4}), entry())), Keys{"results"});
  EXPECT_EQ(keys(compare_report(log_with(other, {0, 0.5, 0.6}), entry())), Keys{"results"});
}

TEST(GoldenScenario, TakesLessForABoundAndForNothingElse) {
  const json golden = {{"observed", {{"max_ahead", 4}, {"peak", 2}}}};

  EXPECT_EQ(keys(compare_scenario({{"max_ahead", 3}, {"peak", 2}}, golden)), Keys{});
  EXPECT_EQ(keys(compare_scenario({{"max_ahead", 5}, {"peak", 2}}, golden)), Keys{"max_ahead"});
  EXPECT_EQ(keys(compare_scenario({{"max_ahead", 4}, {"peak", 1}}, golden)), Keys{"peak"});
  EXPECT_EQ(keys(compare_scenario({{"max_ahead", "few"}, {"peak", 2}}, golden)), Keys{"max_ahead"});
}

TEST(GoldenScenario, ComparesEachKey) {
  const json golden = {{"observed", {{"ended", 0.55}, {"tasks", 0}}}};

  EXPECT_EQ(keys(compare_scenario({{"ended", 0.55}, {"tasks", 0}, {"more", 1}}, golden)), Keys{});
  EXPECT_EQ(keys(compare_scenario({{"ended", 0.549999999}, {"tasks", 0}}, golden)), Keys{});
  EXPECT_EQ(keys(compare_scenario({{"ended", 0.56}, {"tasks", 1}}, golden)),
            (Keys{"ended", "tasks"}));
  EXPECT_EQ(keys(compare_scenario(json::object(), golden)), (Keys{"ended", "tasks"}));
}

TEST(GoldenScenario, SortsALogWithinItsInstants) {
  const json golden = {
      {"observed", {{"log", json::parse(R"([[0.1, "a", 1], [0.1, "b", 2], [0.2, "c", 3]])")}}}};
  const json swapped = {{"log", json::parse(R"([[0.1, "b", 2], [0.1, "a", 1], [0.2, "c", 3]])")}};
  const json later = {{"log", json::parse(R"([[0.1, "a", 1], [0.15, "b", 2], [0.2, "c", 3]])")}};

  EXPECT_EQ(keys(compare_scenario(swapped, golden)), Keys{});
  EXPECT_EQ(keys(compare_scenario(later, golden)), Keys{"log"});
}

TEST(GoldenScenario, AcceptsAnotherReadingAsAWhole) {
  const json golden = {{"observed", {{"a", 1}, {"b", 1}}},
                       {"also_allowed", {{{"observed", {{"a", 2}, {"b", 2}}}}}}};

  EXPECT_EQ(keys(compare_scenario({{"a", 2}, {"b", 2}}, golden)), Keys{});
  EXPECT_EQ(keys(compare_scenario({{"a", 2}, {"b", 1}}, golden)).size(), 1U);
}

}  // namespace
}  // namespace driver::testing_support
