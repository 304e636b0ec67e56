// SPDX-License-Identifier: MIT

#include "driver/core/overlay.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using nlohmann::json;

TEST(Overlay, PatchesElementsOfTheSameIdAndAddsOthers) {
  const json base = {{{"id", "S1"}, {"sentence", "one"}, {"section", "a"}},
                     {{"id", "S2"}, {"sentence", "two"}, {"section", "b"}}};
  const json own = {{{"id", "S2"}, {"sentence", "zwei"}}, {{"id", "B1"}, {"sentence", "new"}}};

  const json result = overlay_by("id", base, own);

  ASSERT_EQ(result.size(), 3U);
  EXPECT_EQ(result[0], base[0]);
  EXPECT_EQ(result[1], (json{{"id", "S2"}, {"sentence", "zwei"}, {"section", "b"}}));
  EXPECT_EQ(result[2]["id"], "B1");
}

TEST(Overlay, KeepsChecksByNameAndLetsOtherKeysWin) {
  const json base = {
      {"schedules", 24},
      {"checks", {{{"name", "lead"}, {"rule", "S14"}}, {{"name", "fifo"}, {"rule", "S21"}}}}};
  const json own = {{"slug", "b"}, {"checks", {{{"name", "lead"}, {"rule", "B9"}}}}};

  const json result = overlay(base, own);

  EXPECT_EQ(result["schedules"], 24);
  EXPECT_EQ(result["slug"], "b");
  EXPECT_EQ(result["checks"],
            (json{{{"name", "lead"}, {"rule", "B9"}}, {{"name", "fifo"}, {"rule", "S21"}}}));
}

}  // namespace
}  // namespace driver
