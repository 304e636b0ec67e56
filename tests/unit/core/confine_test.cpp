// SPDX-License-Identifier: MIT
//
// The command lines, and the program itself on what every kernel can do.

#include "driver/core/confine.hpp"

#include "driver/core/command.hpp"
#include "tests/paths.hpp"
#include "tests/unit/core/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sys/wait.h>

namespace driver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

Kit confined_kit() {
  Kit kit;
  kit.file = "/kit/build/kit.json";
  kit.root = "/kit";
  kit.compiler = "/usr/bin/clang++";
  kit.confine = std::string(paths::programs) + "/confine";
  kit.variants["plain"] = {.compile = {}, .link = {"/kit/build/liba.a", "-lm"}, .pch = ""};
  return kit;
}

CommandResult confined(const std::vector<std::string>& options, const std::string& script) {
  std::vector<std::string> words{confined_kit().confine.string()};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", "/bin/sh", "-c", script});
  return run_command(words, "/");
}

TEST(Confined, LetsACompilerReadTheKitButNoAnswers) {
  const auto words =
      confined_compiler(confined_kit(), "/scratch", {"/usr/bin/clang++", "-c"}, false);

  EXPECT_THAT(words, Contains("/kit/driver"));
  EXPECT_THAT(words, Contains("/kit/starter/aio"));
  EXPECT_THAT(words, Contains("/kit/build/liba.a"));
  EXPECT_THAT(words, Contains("--memory"));
  for (const char* hidden : {"/kit", "/kit/catalog", "/kit/reference", "/kit/tests", "/", "/tmp"}) {
    EXPECT_THAT(words, Not(Contains(hidden)));
  }
}

TEST(Confined, GivesASanitizedCompilerAllTheMemory) {
  EXPECT_THAT(confined_compiler(confined_kit(), "/scratch", {"x"}, true),
              Not(Contains("--memory")));
}

TEST(Confined, IsTheCommandItselfWithoutTheProgram) {
  Kit kit = confined_kit();
  kit.confine.clear();

  EXPECT_THAT(confined_compiler(kit, "/scratch", {"a", "b"}, false), ElementsAre("a", "b"));
  EXPECT_THAT(confined_runner(kit, "/scratch/runner"), ElementsAre("/scratch/runner"));
}

TEST(ConfineProgram, SetsLimits) {
  const CommandResult result =
      confined({"--file", "1048576", "--memory", "1073741824"}, "ulimit -f; ulimit -v; ulimit -c");

  EXPECT_EQ(result.output, "2048\n1048576\n0\n");
}

TEST(ConfineProgram, EndsAsTheProgramDoes) {
  EXPECT_EQ(WEXITSTATUS(confined({}, "exit 7").wait_status), 7);
  EXPECT_EQ(WEXITSTATUS(confined({"--processes"}, "exit 7").wait_status), 7);
  EXPECT_EQ(WTERMSIG(confined({}, "kill -TERM $$").wait_status), SIGTERM);
}

TEST(ConfineProgram, SaysWhatItCannotDo) {
  EXPECT_THAT(confined({"--nonsense"}, "true").output,
              ::testing::StartsWith("confine: --nonsense: "));
  EXPECT_EQ(WEXITSTATUS(confined({"--nonsense"}, "true").wait_status), 127);
}

}  // namespace
}  // namespace driver
