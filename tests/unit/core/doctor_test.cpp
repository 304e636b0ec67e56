// SPDX-License-Identifier: MIT
//
// What versions mean, and that a missing kit is not healthy.

#include "driver/core/doctor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace driver {
namespace {

TEST(MajorVersion, IsTakenFromTheVersionNumber) {
  EXPECT_EQ(major_version("Debian clang version 19.1.7 (3~deb12u1)"), 19);
  EXPECT_EQ(major_version("g++ (Debian 12.2.0-14+deb12u1) 12.2.0"), 12);
  EXPECT_EQ(major_version("no version"), 0);
}

TEST(CompilerFinding, WantsClang16OrNewer) {
  EXPECT_EQ(compiler_finding("clang++-16", "clang version 16.0.6").health, Health::good);
  EXPECT_EQ(compiler_finding("clang++", "clang version 14.0.6").health, Health::warning);
}

TEST(CompilerFinding, WarnsOfGcc12) {
  const Finding finding = compiler_finding("g++", "g++ (Debian 12.2.0-14) 12.2.0");

  EXPECT_EQ(finding.health, Health::warning);
  EXPECT_THAT(finding.what, ::testing::HasSubstr("miscompiles"));
  EXPECT_EQ(compiler_finding("g++", "g++ (GCC) 13.2.0").health, Health::good);
}

TEST(Doctor, IsNotContentWithoutAKit) {
  std::ostringstream out;

  EXPECT_EQ(run_doctor("/no/kit.json", out), ExitCode::fail);
  EXPECT_THAT(out.str(), ::testing::HasSubstr("bad      the kit is not built"));
  EXPECT_THAT(out.str(), ::testing::EndsWith("not fit to check submissions\n"));
}

}  // namespace
}  // namespace driver
