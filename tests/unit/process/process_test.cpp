// SPDX-License-Identifier: MIT
//
// RunnerProcess against a runner that misbehaves in every way we could think of.

#include "driver/core/process.hpp"

#include "driver/core/wait_status.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <sys/wait.h>
#include <system_error>

namespace driver {
namespace {

using nlohmann::json;

RunnerOptions fake(const std::string& how = "") {
  RunnerOptions options;
  options.program = std::string(paths::programs) + "/fake_runner";
  options.arguments = {how};
  options.exercise = "fake";
  return options;
}

CaseRun run_once(const json& test_case, RunnerOptions options = fake()) {
  RunnerProcess runner(std::move(options));
  return runner.run(test_case, {.schedules = {"fifo"}});
}

TEST(RunnerProcess, GivesEventsAndReportOfACompleteRun) {
  const CaseRun run = run_once({{"do", "pass"}});

  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.protocol_error, std::nullopt);
  ASSERT_EQ(run.runs.size(), 1U);
  EXPECT_TRUE(run.runs[0].complete);
  ASSERT_EQ(run.runs[0].events.size(), 2U);
  EXPECT_EQ(run.runs[0].events[1].time_ns, 5);
  EXPECT_EQ(run.runs[0].events[1].fields, json({{"k", 1}}));
  EXPECT_EQ(run.runs[0].report, json({{"results", json::array()}}));
}

TEST(RunnerProcess, RunsManyCasesInOneRunner) {
  RunnerProcess runner(fake("many"));

  for (int count = 0; count < 50; ++count) {
    EXPECT_TRUE(runner.run({{"do", "pass"}}, {.schedules = {"fifo"}}).finished);
  }
}

TEST(RunnerProcess, ReadsOneRunForEachSchedule) {
  RunnerProcess runner(fake());

  const CaseRun run = runner.run({{"do", "two schedules"}}, {.schedules = {"fifo", "lifo"}});

  EXPECT_TRUE(run.finished) << run.protocol_error.value_or("");
  ASSERT_EQ(run.runs.size(), 2U);
  EXPECT_EQ(run.runs[1].schedule, "lifo");
}

TEST(RunnerProcess, KeepsAFatalRecord) {
  const CaseRun run = run_once({{"do", "fatal"}});

  ASSERT_EQ(run.runs.size(), 1U);
  ASSERT_TRUE(run.runs[0].fatal.has_value());
  EXPECT_EQ(run.runs[0].fatal->kind, "deadlock");
  EXPECT_FALSE(run.finished);
}

struct BadReport {
  const char* act;
  const char* error;
};

void PrintTo(const BadReport& bad, std::ostream* out) { *out << bad.act; }

class BadReports : public testing::TestWithParam<BadReport> {};

TEST_P(BadReports, AreProtocolErrors) {
  const CaseRun run = run_once({{"do", GetParam().act}});

  EXPECT_FALSE(run.finished);
  EXPECT_EQ(run.protocol_error.value_or("none"), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    RunnerProcess, BadReports,
    testing::Values(BadReport{"bad length", "frame 0: bad length 4294967295"},
                    BadReport{"wrong token", "frame 0: wrong token"},
                    BadReport{"out of order", "frame 1: out of order: its number is 2"},
                    BadReport{"no json", "frame 0: no valid JSON"},
                    BadReport{"no record", "frame 0: no record"},
                    BadReport{"deep json", "frame 0: JSON nested too deeply"},
                    BadReport{"trailing", "frame 6: the report ends inside a frame"},
                    BadReport{"event outside", "frame 0: a record outside a run"},
                    BadReport{"bad count", "frame 2: the end of a run does not fit its events"},
                    BadReport{"bad time", "frame 2: time runs backwards"},
                    BadReport{"wrong schedule", "frame 0: unexpected begin of a run"},
                    BadReport{"early bye", "frame 1: bye before the last run was complete"},
                    BadReport{"half a frame", "frame 0: the report ends inside a frame"}),
    [](const auto& tested) {
      std::string name = tested.param.act;
      name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
      return name;
    });

TEST(RunnerProcess, StopsAnEndlessReport) {
  RunnerOptions options = fake();
  options.report_limits.frames = 1000;

  const CaseRun run = run_once({{"do", "endless frames"}}, options);

  EXPECT_EQ(run.protocol_error.value_or("none"), "frame 1000: more than 1000 frames");
  EXPECT_TRUE(WIFSIGNALED(run.wait_status));
}

TEST(RunnerProcess, AnEmptyReportIsUnfinished) {
  const CaseRun run = run_once({{"do", "nothing"}});

  EXPECT_FALSE(run.finished);
  EXPECT_TRUE(run.runs.empty());
}

TEST(RunnerProcess, GivesTheSignalOfACrash) {
  const CaseRun run = run_once({{"do", "crash"}});

  EXPECT_EQ(describe_wait_status(run.wait_status), "killed by signal 11 (SIGSEGV)");
  EXPECT_FALSE(run.finished);
}

TEST(RunnerProcess, ACompleteReportWithABadExitIsUnfinished) {
  const CaseRun run = run_once({{"do", "pass, exit 3"}});

  EXPECT_EQ(describe_wait_status(run.wait_status), "exit status 3");
  EXPECT_FALSE(run.finished);
}

TEST(RunnerProcess, KillsWhatTakesTooLong) {
  RunnerOptions options = fake();
  options.case_limit = std::chrono::milliseconds(50);

  const CaseRun run = run_once({{"do", "hang"}}, options);

  EXPECT_FALSE(run.exited_on_time);
  EXPECT_TRUE(WIFSIGNALED(run.wait_status));
}

TEST(RunnerProcess, KeepsBothOutputsApart) {
  const CaseRun run = run_once({{"do", "print"}, {"out", "to out"}, {"err", "to err"}});

  EXPECT_EQ(run.stdout_text, "to out");
  EXPECT_EQ(run.stderr_text, "to err");
}

TEST(RunnerProcess, KeepsHeadAndTailOfLongOutput) {
  const CaseRun run = run_once({{"do", "long"}, {"bytes", 200'000}});

  EXPECT_TRUE(run.finished);
  EXPECT_FALSE(run.output_limit);
  EXPECT_LT(run.stdout_text.size(), 66'000U);
  EXPECT_TRUE(run.stdout_text.starts_with("first\n"));
  EXPECT_TRUE(run.stdout_text.ends_with("\nlast"));
  EXPECT_NE(run.stdout_text.find("[... 134475 bytes cut ...]"), std::string::npos);
}

TEST(RunnerProcess, KillsAFlood) {
  const CaseRun run = run_once({{"do", "flood"}});

  EXPECT_TRUE(run.output_limit);
  EXPECT_FALSE(run.finished);
}

TEST(RunnerProcess, DoesNotWaitForAGrandchild) {
  RunnerProcess runner(fake());

  const CaseRun run = runner.run({{"do", "grandchild"}}, {.schedules = {"fifo"}});

  EXPECT_TRUE(run.finished);
  EXPECT_TRUE(runner.run({{"do", "pass"}}, {.schedules = {"fifo"}}).finished);
}

TEST(RunnerProcess, StartsAgainAfterTheRunnerDied) {
  RunnerProcess runner(fake());

  const CaseRun run = runner.run({{"do", "kill runner"}}, {.schedules = {"fifo"}});

  EXPECT_EQ(run.protocol_error.value_or("none"),
            "the runner ended during the case (killed by signal 9 (SIGKILL))");
  EXPECT_FALSE(run.finished);
  EXPECT_TRUE(runner.run({{"do", "pass"}}, {.schedules = {"fifo"}}).finished);
}

TEST(RunnerProcess, StartsAgainWhenTheRunnerDiedBetweenCases) {
  RunnerProcess runner(fake("one case"));

  EXPECT_TRUE(runner.run({{"do", "pass"}}, {.schedules = {"fifo"}}).finished);
  EXPECT_TRUE(runner.run({{"do", "pass"}}, {.schedules = {"fifo"}}).finished);
}

TEST(RunnerProcess, NeverKillsAProcessThatIsNotTheRunners) {
  RunnerOptions options = fake();
  options.case_limit = std::chrono::milliseconds(50);
  options.limits["pid"] = 1;

  const CaseRun run = run_once({{"do", "hang"}}, options);

  EXPECT_TRUE(run.protocol_error.value_or("").starts_with(
      "the runner gave the number of a process that is not its own"));
}

TEST(RunnerProcess, HandsOverNoOtherDescriptors) {
  // 0 to 2, and the four of the case at the lowest free numbers.
  EXPECT_EQ(run_once({{"do", "list fds"}}).stdout_text, "0 1 2 4 5 6 7 ");
}

TEST(RunnerProcess, GivesAMinimalEnvironment) {
  const CaseRun run = run_once({{"do", "environment"}});

  EXPECT_EQ(run.stdout_text.find("HOME="), std::string::npos);
  EXPECT_NE(run.stdout_text.find("ASAN_OPTIONS="), std::string::npos);
}

TEST(RunnerProcess, FailsWhenTheRunnerEndsBeforeItsHello) {
  try {
    RunnerProcess runner(fake("exit"));
    FAIL() << "it started";
  } catch (const RunnerFailed& error) {
    EXPECT_STREQ(error.what(), "the runner ended before any case: exit status 3");
    EXPECT_EQ(error.output(), "said before the end");
    EXPECT_TRUE(error.wait_status().has_value());
  }
}

TEST(RunnerProcess, FailsWhenTheRunnerCrashesBeforeItsHello) {
  EXPECT_THROW(RunnerProcess runner(fake("crash")), RunnerFailed);
}

TEST(RunnerProcess, FailsWhenTheRunnerStaysSilent) {
  RunnerOptions options = fake("silent");
  options.hello_limit = std::chrono::milliseconds(50);

  EXPECT_THROW(RunnerProcess runner(options), RunnerFailed);
}

TEST(RunnerProcess, FailsWhenTheRunnerIsForAnotherExercise) {
  RunnerOptions options = fake();
  options.exercise = "other";

  EXPECT_THROW(RunnerProcess runner(options), RunnerFailed);
}

TEST(RunnerProcess, FailsWhenThereIsNoSuchProgram) {
  RunnerOptions options = fake();
  options.program = "/no/such/program";

  EXPECT_THROW(RunnerProcess runner(options), std::system_error);
}

}  // namespace
}  // namespace driver
