// SPDX-License-Identifier: MIT

#include "aio/cancelled.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <type_traits>

namespace aio::test {
namespace {

std::exception_ptr asio_failure(boost::asio::error::basic_errors code) {
  return std::make_exception_ptr(boost::system::system_error(code));
}

TEST(Cancelled, IsNoException) {
  EXPECT_FALSE((std::is_base_of_v<std::exception, Cancelled>));
  EXPECT_FALSE((std::is_base_of_v<std::exception, GeneratorExit>));
}

TEST(IsCancellation, KnowsOurOwnAndAsios) {
  EXPECT_TRUE(is_cancellation(std::make_exception_ptr(Cancelled())));
  EXPECT_TRUE(is_cancellation(asio_failure(boost::asio::error::operation_aborted)));
}

TEST(IsCancellation, TakesNothingElseForOne) {
  EXPECT_FALSE(is_cancellation(nullptr));
  EXPECT_FALSE(is_cancellation(asio_failure(boost::asio::error::connection_reset)));
  EXPECT_FALSE(is_cancellation(std::make_exception_ptr(std::runtime_error("x"))));
  EXPECT_FALSE(is_cancellation(std::make_exception_ptr(GeneratorExit())));
  EXPECT_FALSE(is_cancellation(std::make_exception_ptr(7)));
}

}  // namespace
}  // namespace aio::test
