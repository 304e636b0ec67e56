// SPDX-License-Identifier: MIT
#include "aio/limit.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

using aio::Limit;

TEST(Limit, KeepsTheSignForItsTakerToCheck) {
  EXPECT_EQ(Limit(3), 3);
  EXPECT_EQ(Limit(0), 0);
  EXPECT_EQ(Limit(-1), -1);
}

TEST(Limit, CountsAHugeUnsignedNumberAsTheLargest) {
  EXPECT_EQ(Limit(std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::int64_t>::max());
}

TEST(Limit, DoesNotCompileFromWhatIsNoWholeNumber) {
  static_assert(std::is_convertible_v<int, Limit>);
  static_assert(std::is_convertible_v<std::size_t, Limit>);
  static_assert(!std::is_constructible_v<Limit, bool>);
  static_assert(!std::is_constructible_v<Limit, double>);
  static_assert(!std::is_constructible_v<Limit, float>);
  static_assert(!std::is_constructible_v<Limit, const char*>);
  static_assert(!std::is_default_constructible_v<Limit>);
}

}  // namespace
