// SPDX-License-Identifier: MIT

#include "driver/core/shrink.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using protocol::Path;

/// A path of `count` choices at the points 0, 1, 2 ...
Path path_of(std::uint32_t count) {
  Path path;
  for (std::uint32_t place = 0; place < count; ++place) {
    path[place] = 1 + place % 3;
  }
  return path;
}

TEST(Shrink, KeepsJustTheChoicesThatMatter) {
  const auto needs_three_and_seventeen = [](const Path& path) {
    return path.contains(3) && path.contains(17);
  };

  EXPECT_EQ(shrink(path_of(40), needs_three_and_seventeen, 1000), (Path{{3, 1}, {17, 3}}));
}

TEST(Shrink, KeepsNothingWhenFifoFailsToo) {
  EXPECT_EQ(shrink(path_of(40), [](const Path&) { return true; }, 1000), Path());
}

TEST(Shrink, KeepsEverythingWhenAllOfItMatters) {
  const auto needs_all = [](const Path& path) { return path.size() == 9; };

  EXPECT_EQ(shrink(path_of(9), needs_all, 1000), path_of(9));
}

TEST(Shrink, LeavesNoChoiceThatCouldGo) {
  // Of any two neighbours one is needed: halves alone would not find that.
  const auto has_every_pair = [](const Path& path) {
    for (std::uint32_t place = 0; place < 12; place += 2) {
      if (!path.contains(place) && !path.contains(place + 1)) {
        return false;
      }
    }
    return true;
  };

  EXPECT_EQ(shrink(path_of(12), has_every_pair, 1000).size(), 6U);
}

TEST(Shrink, StopsAfterSoManyTries) {
  int tries = 0;
  const auto count = [&tries](const Path&) {
    ++tries;
    return false;
  };

  EXPECT_EQ(shrink(path_of(40), count, 10), path_of(40));
  EXPECT_EQ(tries, 10);
}

TEST(Shrink, OfNoChoicesTriesNothing) {
  EXPECT_EQ(shrink(Path(), [](const Path&) { return false; }, 10), Path());
}

}  // namespace
}  // namespace driver
