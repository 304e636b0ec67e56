// SPDX-License-Identifier: MIT
//
// Commands that end well, badly, or not at all.

#include "driver/core/command.hpp"

#include "driver/core/errors.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

namespace driver {
namespace {

CommandResult run(const std::string& script, const CommandLimits& limits = {}) {
  return run_command({"/bin/sh", "-c", script}, "/tmp", limits);
}

TEST(RunCommand, GivesBothStreamsInOrder) {
  const CommandResult result = run("echo one; echo two >&2; echo three");

  EXPECT_TRUE(result.is_success());
  EXPECT_EQ(result.output, "one\ntwo\nthree\n");
}

TEST(RunCommand, GivesExitStatusAndSignal) {
  EXPECT_EQ(WEXITSTATUS(run("exit 3").wait_status), 3);
  EXPECT_EQ(WTERMSIG(run("kill -SEGV $$").wait_status), SIGSEGV);
}

TEST(RunCommand, PassesOnNoEnvironmentAndNoInput) {
  ::setenv("SECRET_OF_OURS", "x", 1);

  EXPECT_EQ(run("echo \"$SECRET_OF_OURS\"; cat; pwd").output, "\n/tmp\n");
}

TEST(RunCommand, EndsWhatTakesTooLong) {
  const CommandResult result =
      run("echo begun; while :; do :; done", {.time = std::chrono::milliseconds(100)});

  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.is_success());
  EXPECT_EQ(result.output, "begun\n");
}

TEST(RunCommand, DoesNotWaitForAGrandchildThatKeepsThePipe) {
  const auto start = std::chrono::steady_clock::now();

  const CommandResult result = run("sleep 50 & echo done");

  EXPECT_EQ(result.output, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(RunCommand, CapsEndlessOutput) {
  const CommandResult result =
      run("head -c 10000000 /dev/zero | tr '\\0' x", {.kept_output = 1000});

  EXPECT_LT(result.output.size(), 2000U);
  EXPECT_TRUE(result.output.starts_with("xxxx"));
}

TEST(RunCommand, IsAGraderFaultWhenThereIsNoSuchFolder) {
  EXPECT_THROW(run_command({"/bin/true"}, "/no/such/folder"), GraderFault);
}

}  // namespace
}  // namespace driver
