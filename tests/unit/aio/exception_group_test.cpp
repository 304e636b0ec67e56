// SPDX-License-Identifier: MIT

#include "aio/exception_group.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <vector>

namespace aio::test {
namespace {

TEST(ExceptionGroup, KeepsTheRecordedExceptionsThemselves) {
  const std::exception_ptr first = std::make_exception_ptr(std::runtime_error("same"));
  const std::exception_ptr second = std::make_exception_ptr(std::runtime_error("same"));

  const ExceptionGroup group("failed", {first, second});

  ASSERT_EQ(group.exceptions().size(), 2U);
  EXPECT_EQ(group.exceptions()[0], first);
  EXPECT_EQ(group.exceptions()[1], second);
  EXPECT_NE(group.exceptions()[0], second);
}

TEST(ExceptionGroup, KeepsTheIdentityWhenItIsThrown) {
  const std::exception_ptr member = std::make_exception_ptr(std::runtime_error("x"));

  try {
    throw ExceptionGroup("failed", {member});
  } catch (const std::exception& error) {
    const auto& group = dynamic_cast<const ExceptionGroup&>(error);
    EXPECT_STREQ(error.what(), "failed");
    EXPECT_EQ(group.exceptions().at(0), member);
  }
}

}  // namespace
}  // namespace aio::test
