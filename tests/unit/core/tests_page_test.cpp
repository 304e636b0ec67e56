// SPDX-License-Identifier: MIT
//
// The catalogue as text.

#include "driver/core/tests_page.hpp"

#include "tests/unit/core/demo_kit.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

TEST(TestsPage, ShowsCasesAndPitfalls) {
  const testing::DemoKit demo;

  EXPECT_EQ(tests_page(load_exercise(demo.kit().catalog(), "demo")), R"(demo: A demo
2 cases

cases
  one  [unit]  S1
      It is one.
      why: Ones.
  two  [fault]  S2
      It is two.
      why: Twos.

pitfalls
  Counting from zero  S1
      Zero is not one.
      caught by: one
)");
}

TEST(Wrapped, BreaksBetweenWordsOnly) {
  EXPECT_EQ(wrapped("aa bb cc", "  ", 7), "  aa bb\n  cc\n");
  EXPECT_EQ(wrapped("muchtoolong", "  ", 5), "  muchtoolong\n");
  EXPECT_EQ(wrapped("", "  "), "");
}

}  // namespace
}  // namespace driver
