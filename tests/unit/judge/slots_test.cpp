// SPDX-License-Identifier: MIT
//
// Matching what is expected with what came, where forms overlap.

#include "driver/judge/slots.hpp"

#include "driver/judge/error_classes.hpp"
#include "driver/judge/trace_check.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using Indices = std::vector<std::size_t>;

TEST(Slots, GivesWhatFillsNone) {
  std::vector<Slot> slots = {{.forms = {"a"}}, {.forms = {"b"}}};

  EXPECT_EQ(fill(slots, {"x", "b", "a", "a"}), (Indices{0, 3}));
  EXPECT_EQ(slots[0].matched, 2U);
  EXPECT_EQ(slots[1].matched, 1U);
}

TEST(Slots, MovesASlotThatHasAnotherForm) {
  std::vector<Slot> slots = {{.forms = {"a", "b"}}, {.forms = {"a", "c"}}};

  EXPECT_EQ(fill(slots, {"a", "b"}), Indices{});
  EXPECT_EQ(slots[0].matched, 1U);
  EXPECT_EQ(slots[1].matched, 0U);
}

TEST(Slots, MovesAlongAChain) {
  std::vector<Slot> slots = {{.forms = {"a", "b"}}, {.forms = {"b", "c"}}, {.forms = {"a", "d"}}};

  EXPECT_EQ(fill(slots, {"c", "b", "a"}), Indices{});
}

TEST(Slots, FillsRequiredOnesFirst) {
  std::vector<Slot> slots = {{.forms = {"a"}, .is_optional = true}, {.forms = {"a"}}};

  EXPECT_EQ(fill(slots, {"a"}), Indices{});
  EXPECT_FALSE(slots[0].matched.has_value());
  EXPECT_TRUE(slots[1].matched.has_value());
}

TEST(Slots, TakesWholeKindsLast) {
  std::vector<Slot> slots = {{.forms = {}, .any_of_kind = {"ok("}, .is_optional = true},
                             {.forms = {"ok(1)"}}};

  EXPECT_EQ(fill(slots, {"ok(1)", "retry(2)", "ok(?)"}), Indices{1});
  EXPECT_EQ(slots[0].matched, 2U);
}

TEST(ErrorClasses, KnowTheirBases) {
  EXPECT_TRUE(is_instance("TransientChild", {"Transient"}));
  EXPECT_FALSE(is_instance("Transient", {"TransientChild"}));
  EXPECT_TRUE(is_instance("TimeoutError", {"OSError"}));
  EXPECT_FALSE(is_instance("TimeoutError", {"RuntimeError"}));
  EXPECT_TRUE(is_instance("Flaky", {"ValueError", "Exception"}));
  EXPECT_FALSE(is_instance("Flaky", {}));
}

TEST(Seconds, AreShownWithoutTrailingZeros) {
  EXPECT_EQ(seconds(0), "0 s");
  EXPECT_EQ(seconds(250'000'000), "0.25 s");
  EXPECT_EQ(seconds(1), "0.000000001 s");
  EXPECT_EQ(seconds(30'000'000'000), "30 s");
  EXPECT_EQ(seconds(-1'500'000'000), "-1.5 s");
}

}  // namespace
}  // namespace driver
