// SPDX-License-Identifier: MIT
//
// Which name is near enough to be meant.

#include "driver/core/nearest.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

TEST(EditDistance, CountsInsertedDeletedReplacedAndSwappedLetters) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("workers", "workers"), 0U);
  EXPECT_EQ(edit_distance("workers", "worker"), 1U);
  EXPECT_EQ(edit_distance("workers", "wrokers"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, IsBoundedForHugeNames) {
  const std::string huge(100'000, 'x');

  EXPECT_EQ(edit_distance(huge, huge + "y"), 0U);
}

TEST(Nearest, FindsAMisspeltName) {
  EXPECT_EQ(nearest("pool-stp", {"pipeline", "pool-stop", "lang.08"}), "pool-stop");
}

TEST(Nearest, IgnoresCase) {
  EXPECT_EQ(nearest("worker_pool.hpp", {"main.cpp", "Worker_Pool.HPP"}), "Worker_Pool.HPP");
}

TEST(Nearest, TakesTheBeginningOfALongName) {
  EXPECT_EQ(nearest("finish", {"start", "finish_order_of_results"}), "finish_order_of_results");
}

TEST(Nearest, IsNothingWhenAllAreFar) {
  EXPECT_EQ(nearest("zebra", {"pool-stop", "pipeline"}), std::nullopt);
  EXPECT_EQ(nearest("x", {"y"}), std::nullopt);
  EXPECT_EQ(nearest("anything", {}), std::nullopt);
}

TEST(DidYouMean, IsEmptyWithoutACandidate) {
  EXPECT_EQ(did_you_mean("pol-stop", {"pool-stop"}), ", did you mean 'pool-stop'?");
  EXPECT_EQ(did_you_mean("zebra", {"pool-stop"}), "");
}

}  // namespace
}  // namespace driver
