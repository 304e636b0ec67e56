// SPDX-License-Identifier: MIT
//
// A started folder: complete, and never at the cost of what was there.

#include "driver/core/start.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/text_file.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace driver {
namespace {

namespace fs = std::filesystem;
using testing::DemoKit;
using testing::message_of;

class Start : public ::testing::Test {
 protected:
  void start() { start_exercise(exercise_, demo_.kit(), folder_, out_); }

  DemoKit demo_;
  Exercise exercise_ = load_exercise(demo_.kit().catalog(), "demo");
  fs::path folder_ = demo_.folder().path() / "work" / "demo";
  std::ostringstream out_;
};

TEST_F(Start, CopiesTheStarterAndTheLibrary) {
  start();

  EXPECT_EQ(read_file(folder_ / "solution.hpp", 100), "TODO\n");
  EXPECT_EQ(read_file(folder_ / "aio" / "task.hpp", 100), "task\n");
  EXPECT_EQ(started_exercise(folder_), "demo");
  EXPECT_THAT(out_.str(), ::testing::HasSubstr("write solution.hpp, then run `ol check` there"));
}

TEST_F(Start, WritesCompileCommandsForEditors) {
  start();

  const auto commands = read_json(folder_ / "compile_commands.json");

  ASSERT_EQ(commands.size(), 1U);
  EXPECT_EQ(commands[0]["file"], "main.cpp");
  EXPECT_EQ(commands[0]["directory"], folder_.string());
  EXPECT_EQ(commands[0]["arguments"][1], "-std=c++20");
}

TEST_F(Start, OverwritesNothingAndWritesNothing) {
  demo_.folder().write("work/demo/solution.hpp", "my work");

  EXPECT_EQ(message_of<BadInput>([&] { start(); }),
            (folder_ / "solution.hpp").string() +
                " would be overwritten; nothing was written (give another folder)");
  EXPECT_EQ(read_file(folder_ / "solution.hpp", 100), "my work");
  EXPECT_FALSE(fs::exists(folder_ / "aio"));
}

TEST_F(Start, RefusesASecondTime) {
  start();

  const std::string message = message_of<BadInput>([&] { start(); });

  EXPECT_THAT(message, ::testing::HasSubstr(" and 5 more files would be overwritten"));
}

TEST_F(Start, RefusesAFolderThatCannotBeMade) {
  demo_.folder().write("work", "a file");

  EXPECT_THAT(message_of<BadInput>([&] { start(); }), ::testing::HasSubstr("cannot be made"));
}

TEST(StartedExercise, IsNothingElsewhere) {
  const testing::TemporaryFolder folder;

  EXPECT_EQ(started_exercise(folder.path()), std::nullopt);
}

TEST(StartedExercise, RefusesABrokenFile) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write(".ol.json", R"({"exercise": 3})");

  EXPECT_EQ(message_of<BadInput>([&] { started_exercise(folder.path()); }),
            file.string() + ": at /exercise: expected the name of an exercise");
}

}  // namespace
}  // namespace driver
