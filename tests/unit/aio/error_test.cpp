// SPDX-License-Identifier: MIT

#include "aio/error.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

namespace aio::test {
namespace {

TEST(OsError, IsNoRuntimeError) {
  EXPECT_FALSE((std::is_base_of_v<std::runtime_error, OsError>));
  EXPECT_TRUE((std::is_base_of_v<std::exception, OsError>));
  EXPECT_STREQ(OsError("cut").what(), "cut");
}

TEST(TimeoutError, IsAnOsError) {
  const TimeoutError error("timed out");
  const OsError& base = error;

  EXPECT_STREQ(base.what(), "timed out");
}

TEST(NotImplemented, SaysWhere) {
  EXPECT_STREQ(NotImplemented("pool-stop: run").what(), "not implemented: pool-stop: run");
}

}  // namespace
}  // namespace aio::test
