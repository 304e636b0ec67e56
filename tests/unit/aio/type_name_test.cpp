// SPDX-License-Identifier: MIT

#include "aio/type_name.hpp"

#include "aio/cancelled.hpp"
#include "aio/error.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace aio::test {

class Custom : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class T>
class Generic : public std::exception {};

namespace {

std::string by_base(const std::exception& error) { return type_name(error); }

TEST(TypeName, SpellsTheStandardsErrorsAsTheTextsDo) {
  EXPECT_EQ(type_name(std::exception()), "Exception");
  EXPECT_EQ(type_name(std::runtime_error("x")), "RuntimeError");
  EXPECT_EQ(type_name(std::invalid_argument("x")), "ValueError");
  EXPECT_EQ(type_name(std::out_of_range("x")), "LookupError");
  EXPECT_EQ(type_name(std::domain_error("x")), "ArithmeticError");
  EXPECT_EQ(type_name(std::bad_alloc()), "MemoryError");
}

TEST(TypeName, SpellsOwnErrorsAsTheTextsDo) {
  EXPECT_EQ(type_name(OsError("x")), "OSError");
  EXPECT_EQ(type_name(TimeoutError("x")), "TimeoutError");
  EXPECT_EQ(type_name(std::make_exception_ptr(Cancelled())), "CancelledError");
}

TEST(TypeName, IsThatOfTheDynamicType) { EXPECT_EQ(by_base(Custom("x")), "Custom"); }

TEST(TypeName, LeavesOutNamespacesAndTemplateArguments) {
  EXPECT_EQ(type_name(Generic<std::string>()), "Generic");
  EXPECT_EQ(type_name(Generic<Generic<int>>()), "Generic");
}

TEST(TypeName, NamesWhatIsNoException) {
  EXPECT_EQ(type_name(std::make_exception_ptr(7)), "int");
  EXPECT_EQ(type_name(std::make_exception_ptr(GeneratorExit())), "GeneratorExit");
}

TEST(TypeName, OfNothingIsEmpty) { EXPECT_EQ(type_name(std::exception_ptr()), ""); }

}  // namespace
}  // namespace aio::test
