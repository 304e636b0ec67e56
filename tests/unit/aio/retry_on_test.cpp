// SPDX-License-Identifier: MIT

#include "aio/retry_on.hpp"

#include "aio/cancelled.hpp"
#include "aio/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <new>
#include <stdexcept>

namespace aio::test {
namespace {

template <class Error, class... Arguments>
std::exception_ptr thrown(Arguments... arguments) {
  return std::make_exception_ptr(Error(arguments...));
}

TEST(RetryOn, MatchesNothingByDefault) {
  EXPECT_FALSE(RetryOn().matches(thrown<std::runtime_error>("x")));
  EXPECT_FALSE(retry_on().matches(thrown<std::runtime_error>("x")));
}

TEST(RetryOn, MatchesTheClassAndWhatIsDerivedFromIt) {
  const RetryOn rule = retry_on<OsError>();

  EXPECT_TRUE(rule.matches(thrown<OsError>("x")));
  EXPECT_TRUE(rule.matches(thrown<TimeoutError>("x")));
}

TEST(RetryOn, DoesNotMatchABaseOrASibling) {
  const RetryOn rule = retry_on<TimeoutError, std::out_of_range>();

  EXPECT_FALSE(rule.matches(thrown<OsError>("x")));
  EXPECT_FALSE(rule.matches(thrown<std::logic_error>("x")));
  EXPECT_FALSE(rule.matches(thrown<std::bad_alloc>()));
}

TEST(RetryOn, ForRuntimeErrorsDoesNotMatchATimeout) {
  EXPECT_FALSE(retry_on<std::runtime_error>().matches(thrown<TimeoutError>("x")));
}

TEST(RetryOn, MatchesAnyOfSeveralClasses) {
  const RetryOn rule = retry_on<TimeoutError, std::runtime_error>();

  EXPECT_TRUE(rule.matches(thrown<TimeoutError>("x")));
  EXPECT_TRUE(rule.matches(thrown<std::range_error>("x")));
}

TEST(RetryOn, JoinsTwoSets) {
  const RetryOn rule = retry_on<TimeoutError>() | retry_on<std::runtime_error>();

  EXPECT_TRUE(rule.matches(thrown<TimeoutError>("x")));
  EXPECT_TRUE(rule.matches(thrown<std::runtime_error>("x")));
  EXPECT_FALSE(rule.matches(thrown<std::logic_error>("x")));
}

TEST(RetryOn, ForEveryExceptionMatchesNoCancellation) {
  const RetryOn rule = retry_on<std::exception>();

  EXPECT_TRUE(rule.matches(thrown<NotImplemented>("x")));
  EXPECT_FALSE(rule.matches(thrown<Cancelled>()));
  EXPECT_FALSE(rule.matches(thrown<int>(1)));
}

TEST(RetryOn, DoesNotMatchNothing) { EXPECT_FALSE(retry_on<std::exception>().matches(nullptr)); }

}  // namespace
}  // namespace aio::test
