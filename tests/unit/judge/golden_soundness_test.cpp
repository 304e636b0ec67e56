// SPDX-License-Identifier: MIT
//
// Every run that the goldens call right is judged right: with its golden, and by the checks alone.

#include "tests/unit/judge/golden_runs.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using testing_support::GoldenRun;

std::string first_violation(const Judgement& judgement) {
  return judgement.violations.empty() ? judgement.summary
                                      : judgement.violations[0].check + ": " + judgement.summary;
}

class GoldenSoundness : public testing::TestWithParam<GoldenRun> {};

TEST_P(GoldenSoundness, PassesWithItsGolden) {
  const GoldenRun& golden = GetParam();

  const Judgement judgement = judge(testing_support::golden_exercise(golden.slug), golden.test_case,
                                    testing_support::finished(golden.log));

  EXPECT_EQ(to_string(judgement.verdict), "pass") << first_violation(judgement);
}

TEST_P(GoldenSoundness, PassesByTheChecksAlone) {
  const GoldenRun& golden = GetParam();

  Exercise exercise = testing_support::golden_exercise(golden.slug);
  exercise.golden = nlohmann::json::object();

  const Judgement judgement =
      judge(exercise, golden.test_case, testing_support::finished(golden.log));

  EXPECT_EQ(to_string(judgement.verdict), "pass") << first_violation(judgement);
}

std::string test_name(const testing::TestParamInfo<GoldenRun>& tested) {
  std::string name;
  for (const char letter : tested.param.name) {
    name += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(PoolStop, GoldenSoundness,
                         testing::ValuesIn(testing_support::golden_runs("pool-stop")), test_name);
INSTANTIATE_TEST_SUITE_P(PoolKeepGoing, GoldenSoundness,
                         testing::ValuesIn(testing_support::golden_runs("pool-keep-going")),
                         test_name);

}  // namespace
}  // namespace driver
