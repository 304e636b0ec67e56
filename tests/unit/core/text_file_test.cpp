// SPDX-License-Identifier: MIT
//
// Files that exist, do not exist, or are no files.

#include "driver/core/text_file.hpp"

#include "driver/core/errors.hpp"
#include "tests/unit/core/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace driver {
namespace {

using testing::message_of;
using testing::TemporaryFolder;

std::string refusal(const std::filesystem::path& path, Links links = Links::follow) {
  return message_of<BadInput>([&] { read_file(path, 100, links, "shown"); });
}

TEST(ReadFile, GivesTheBytesAsTheyAre) {
  const TemporaryFolder folder;
  const std::string text("a\0b\r\n\xff", 6);

  EXPECT_EQ(read_file(folder.write("file", text), 6), text);
}

TEST(ReadFile, RefusesOneByteTooMany) {
  const TemporaryFolder folder;

  EXPECT_EQ(refusal(folder.write("file", std::string(101, 'x'))),
            "shown: is larger than 100 bytes");
}

TEST(ReadFile, NamesTheReason) {
  const TemporaryFolder folder;

  EXPECT_EQ(refusal(folder.path() / "missing"), "shown: no such file");
  EXPECT_EQ(refusal(folder.path()), "shown: is a folder, not a file");
  EXPECT_EQ(refusal("/dev/zero"), "shown: is not a regular file");
}

TEST(ReadFile, DoesNotWaitForAFifo) {
  const TemporaryFolder folder;
  const auto fifo = folder.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);

  EXPECT_EQ(refusal(fifo), "shown: is not a regular file");
}

TEST(ReadFile, RefusesALinkOnlyWhenAsked) {
  const TemporaryFolder folder;
  folder.write("file", "text");
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("file", link);

  EXPECT_EQ(read_file(link, 100), "text");
  EXPECT_EQ(refusal(link, Links::refuse), "shown: is a symbolic link");
}

TEST(WriteNewFile, NeverOverwrites) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "old");

  const std::string message = message_of<BadInput>([&] { write_new_file(file, "new"); });

  EXPECT_EQ(message, file.string() + ": exists already");
  EXPECT_EQ(read_file(file, 100), "old");
}

TEST(ReplaceFile, LeavesNoDraftBehind) {
  const TemporaryFolder folder;
  const auto file = folder.write("file", "old");

  replace_file(file, "new");

  EXPECT_EQ(read_file(file, 100), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(ReplaceFile, SaysWhyItCannot) {
  const std::string message = message_of<BadInput>([] { replace_file("/no/such/folder/x", ""); });

  EXPECT_EQ(message, "/no/such/folder/x: cannot be written: no such file");
}

}  // namespace
}  // namespace driver
