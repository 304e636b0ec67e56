// SPDX-License-Identifier: MIT
//
// SHA-256 against the known answers of FIPS 180-4.

#include "driver/core/digest.hpp"

#include "tests/unit/core/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

TEST(Digest, AgreesWithTheStandard) {
  EXPECT_EQ(digest("abc"),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest(""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(DigestOfAll, DoesNotDependOnTheOrder) {
  EXPECT_EQ(digest_of_all({{"a", "1"}, {"b", "2"}}), digest_of_all({{"b", "2"}, {"a", "1"}}));
}

TEST(DigestOfAll, DependsOnNamesAndContents) {
  EXPECT_NE(digest_of_all({{"a", "1"}}), digest_of_all({{"b", "1"}}));
  EXPECT_NE(digest_of_all({{"a", "1"}}), digest_of_all({{"a", "2"}}));
}

TEST(DigestsUnder, NamesFilesByTheirPathInTheFolder) {
  const testing::TemporaryFolder folder;
  folder.write("a/b.txt", "abc");

  const auto files = digests_under(folder.path(), "kit/");

  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].name, "kit/a/b.txt");
  EXPECT_EQ(files[0].digest, digest("abc"));
}

TEST(DigestsUnder, GivesNothingForAMissingFolder) {
  EXPECT_TRUE(digests_under("/no/such/folder", "").empty());
}

}  // namespace
}  // namespace driver
