// SPDX-License-Identifier: MIT

#include "driver/protocol/schedule.hpp"

#include <gtest/gtest.h>

#include <string>

namespace protocol {
namespace {

TEST(Schedule, PrintsTheNameThatItWasParsedFrom) {
  for (const std::string name :
       {"fifo", "lifo", "random:0", "random:18446744073709551615", "pos:7", "pct:5:3", "pct:5:100",
        "late:3", "path:", "path:0=1", "path:2=1.13=11", "exhaustive:1000"}) {
    const auto schedule = parse_schedule(name);

    ASSERT_TRUE(schedule) << name;
    EXPECT_EQ(to_string(*schedule), name);
  }
}

TEST(Schedule, HasDefaultsForDepthAndLimit) {
  EXPECT_EQ(to_string(parse_schedule("pct:5").value()), "pct:5:3");
  EXPECT_EQ(to_string(parse_schedule("exhaustive").value()), "exhaustive:100000");
}

TEST(Schedule, RejectsWhatIsNoName) {
  for (const std::string name : {"",
                                 "FIFO",
                                 "fifo ",
                                 "fifo:",
                                 "fifo:1",
                                 "lifo:0",
                                 "random",
                                 "random:",
                                 "random:-1",
                                 "random:x",
                                 "random:1x",
                                 "random:1:2",
                                 "random:18446744073709551616",
                                 "pos",
                                 "pos:1:2",
                                 "pct",
                                 "pct:1:0",
                                 "pct:1:101",
                                 "pct:1:2:3",
                                 "path",
                                 "late",
                                 "late:1:2",
                                 "path:1",
                                 "path:1=2.",
                                 "path:.1=2",
                                 "path:1=2=3",
                                 "path:1=2.1=3",
                                 "path:a=1",
                                 "path:1=2:2",
                                 "path:1=4294967296",
                                 "exhaustive:",
                                 "exhaustive:0",
                                 "exhaustive:1:2",
                                 "round"}) {
    EXPECT_FALSE(parse_schedule(name)) << name;
  }
}

}  // namespace
}  // namespace protocol
