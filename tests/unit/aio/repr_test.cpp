// SPDX-License-Identifier: MIT

#include "aio/repr.hpp"

#include "aio/cancelled.hpp"
#include "aio/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace aio::test {

struct Spelt {
  std::string repr() const { return "Spelt()"; }
};

struct Unspeakable {
  std::string repr() const { throw std::runtime_error("no words"); }
};

struct Silent {};

class Terse : public std::runtime_error, public Representable {
 public:
  Terse() : std::runtime_error("long text") {}
  std::string repr() const override { return "Terse!"; }
};

class Mute : public std::runtime_error, public Representable {
 public:
  Mute() : std::runtime_error("long text") {}
  std::string repr() const override { throw std::logic_error("no words"); }
};

namespace {

TEST(Repr, QuotesText) {
  EXPECT_EQ(repr("it"), "'it'");
  EXPECT_EQ(repr(std::string("it's")), R"('it\'s')");
  EXPECT_EQ(repr(R"(a\b)"), R"('a\\b')");
  EXPECT_EQ(repr(""), "''");
}

TEST(Repr, PrintsNumbersAndTruthValues) {
  EXPECT_EQ(repr(42), "42");
  EXPECT_EQ(repr(-1.5), "-1.5");
  EXPECT_EQ(repr(true), "true");
}

TEST(Repr, PrefersTheMember) { EXPECT_EQ(repr(Spelt()), "Spelt()"); }

TEST(Repr, FallsBackToTheNameOfTheType) {
  EXPECT_EQ(repr(Silent()), "<Silent>");
  EXPECT_EQ(repr(std::vector<int>{1}), "<vector>");
}

TEST(Repr, ThrowsWhatTheMemberThrows) { EXPECT_THROW(repr(Unspeakable()), std::runtime_error); }

TEST(Repr, SpellsAnExceptionWithItsMessage) {
  EXPECT_EQ(repr(std::runtime_error("broken")), "RuntimeError('broken')");
  EXPECT_EQ(repr(TimeoutError("item timed out")), "TimeoutError('item timed out')");
}

TEST(Repr, SpellsAnExceptionInFlight) {
  EXPECT_EQ(repr(std::make_exception_ptr(std::invalid_argument("x"))), "ValueError('x')");
  EXPECT_EQ(repr(std::make_exception_ptr(Cancelled())), "CancelledError()");
  EXPECT_EQ(repr(std::exception_ptr()), "null");
}

TEST(Repr, LetsAnExceptionSpellItselfByItsDynamicType) {
  const Terse terse;
  const std::exception& base = terse;

  EXPECT_EQ(repr(base), "Terse!");
  EXPECT_EQ(repr(std::make_exception_ptr(terse)), "Terse!");
}

TEST(Repr, ThrowsWhatAnExceptionsOwnTextThrows) {
  EXPECT_THROW(repr(Mute()), std::logic_error);
  EXPECT_THROW(repr(std::make_exception_ptr(Mute())), std::logic_error);
}

}  // namespace
}  // namespace aio::test
