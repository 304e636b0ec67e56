// SPDX-License-Identifier: MIT
//
// Every run that the goldens call right is judged right: with its golden, and by the checks alone.
// One test for all runs of an exercise, as reading the goldens takes longer than judging them.

#include "tests/unit/judge/golden_runs.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using testing_support::GoldenRun;

class GoldenSoundness : public testing::TestWithParam<const char*> {
 protected:
  /// Judges every run of the exercise with `exercise`.
  static void expect_passes(const Exercise& exercise) {
    for (const GoldenRun& golden : testing_support::golden_runs(GetParam())) {
      const Judgement judgement =
          judge(exercise, golden.test_case, testing_support::finished(golden.log));
      const std::string check =
          judgement.violations.empty() ? "" : judgement.violations[0].check + ": ";
      EXPECT_EQ(to_string(judgement.verdict), "pass")
          << golden.name << ": " << check << judgement.summary;
    }
  }
};

TEST_P(GoldenSoundness, PassesWithItsGolden) {
  expect_passes(testing_support::golden_exercise(GetParam()));
}

TEST_P(GoldenSoundness, PassesByTheChecksAlone) {
  Exercise exercise = testing_support::golden_exercise(GetParam());
  exercise.golden = nlohmann::json::object();

  expect_passes(exercise);
}

INSTANTIATE_TEST_SUITE_P(Pools, GoldenSoundness, testing::Values("pool-stop", "pool-keep-going"));

}  // namespace
}  // namespace driver
