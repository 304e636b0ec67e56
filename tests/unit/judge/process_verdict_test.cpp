// SPDX-License-Identifier: MIT
//
// How a process ended decides before anything that it reported.

#include "driver/judge/process_verdict.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace driver {
namespace {

using nlohmann::json;

/// The wait statuses of Linux.
int exited_with(int code) { return code << 8; }
int killed_by(int signal) { return signal; }

CaseRun complete() {
  CaseRun run;
  run.runs.resize(1);
  run.runs[0].complete = true;
  run.finished = true;
  return run;
}

CaseRun ended(int wait_status) {
  CaseRun run = complete();
  run.wait_status = wait_status;
  run.finished = false;
  return run;
}

CaseRun with_fatal(const std::string& kind, json detail = json::object()) {
  CaseRun run = ended(0);
  run.runs[0].complete = false;
  run.runs[0].fatal = Fatal{.kind = kind, .detail = std::move(detail)};
  return run;
}

std::string verdict_of(const CaseRun& run) {
  const auto judgement = judge_process(run);
  return judgement ? std::string(to_string(judgement->verdict)) : "none";
}

std::string summary_of(const CaseRun& run) { return judge_process(run).value().summary; }

TEST(ProcessVerdict, HasNothingToSayOfACompleteRun) { EXPECT_EQ(verdict_of(complete()), "none"); }

TEST(ProcessVerdict, CallsALostReportAnEarlyExit) {
  EXPECT_EQ(verdict_of(ended(exited_with(0))), "exited early");
  EXPECT_EQ(verdict_of(ended(exited_with(3))), "exited early");
  EXPECT_EQ(verdict_of(with_fatal("exited", {{"call", "_Exit"}, {"code", 0}})), "exited early");
  EXPECT_EQ(summary_of(with_fatal("exited", {{"call", "_Exit"}, {"code", 0}})),
            "the submission ended the program with _Exit(0)");
}

TEST(ProcessVerdict, CallsASignalACrashEvenAfterACompleteReport) {
  EXPECT_EQ(verdict_of(ended(killed_by(SIGSEGV))), "crash");
  EXPECT_EQ(summary_of(ended(killed_by(SIGSEGV))), "killed by signal 11 (SIGSEGV)");
}

TEST(ProcessVerdict, ShowsWhyItAborted) {
  CaseRun run = ended(killed_by(SIGABRT));
  run.stderr_text = "terminate called\n  what():  no value\n\n";

  EXPECT_EQ(summary_of(run), "killed by signal 6 (SIGABRT): what():  no value");
}

TEST(ProcessVerdict, ShowsTheSanitizersSummaryWithoutFoldersAndAddresses) {
  CaseRun run = ended(exited_with(86));
  run.stderr_text =
      "==1==ERROR: ...\nSUMMARY: AddressSanitizer: heap-use-after-free "
      "/tmp/x/worker_pool.hpp:12:3 in f (/tmp/runner+0x1f) (BuildId: ab)\n==1==ABORTING\n";

  EXPECT_EQ(verdict_of(run), "crash");
  EXPECT_EQ(summary_of(run), "AddressSanitizer: heap-use-after-free worker_pool.hpp:12:3 in f");
}

TEST(ProcessVerdict, IgnoresASummaryThatAFinishedSubmissionPrinted) {
  CaseRun run = complete();
  run.stderr_text = "SUMMARY: AddressSanitizer: just a joke";

  EXPECT_EQ(verdict_of(run), "none");
}

TEST(ProcessVerdict, TellsKillsFirst) {
  CaseRun flood = ended(killed_by(SIGKILL));
  flood.output_limit = true;
  CaseRun slow = ended(killed_by(SIGKILL));
  slow.exited_on_time = false;
  CaseRun busy = ended(killed_by(SIGKILL));
  busy.cpu_ms = 10'000;

  EXPECT_EQ(verdict_of(flood), "output limit");
  EXPECT_EQ(verdict_of(slow), "time limit");
  EXPECT_EQ(verdict_of(busy), "time limit");
  EXPECT_EQ(verdict_of(ended(killed_by(SIGXCPU))), "time limit");
  EXPECT_EQ(verdict_of(ended(killed_by(SIGKILL))), "crash");
}

TEST(ProcessVerdict, TakesAKillAtTheProcessorsLimitForATimeLimit) {
  CaseRun busy = ended(killed_by(SIGKILL));
  busy.cpu_ms = 2'000;
  busy.cpu_limit_ms = 1'000;

  EXPECT_EQ(verdict_of(busy), "time limit");
}

TEST(ProcessVerdict, NamesTheCallThatAThreadSleepsIn) {
  CaseRun asleep = ended(killed_by(SIGXCPU));
  asleep.exited_on_time = false;
  asleep.sleeps_in = "pause()";

  EXPECT_EQ(verdict_of(asleep), "blocked the loop");
  EXPECT_EQ(summary_of(asleep), "the thread sleeps in pause(), so that no other task can run");
}

TEST(ProcessVerdict, TellsMemoryBeforeTheCrashThatFollows) {
  CaseRun run = with_fatal("memory", {{"limit_mb", 1024}});
  run.wait_status = killed_by(SIGABRT);

  EXPECT_EQ(verdict_of(run), "memory");
}

TEST(ProcessVerdict, TellsACrashBeforeWhatTheRunnerStillSaid) {
  CaseRun run = with_fatal("deadlock");
  run.wait_status = killed_by(SIGSEGV);

  EXPECT_EQ(verdict_of(run), "crash");
}

TEST(ProcessVerdict, BlamesTheSubmissionForBadFrames) {
  CaseRun run = ended(killed_by(SIGKILL));
  run.protocol_error = "frame 3: wrong token";
  CaseRun finished = complete();
  finished.protocol_error = "frame 9: more data after the last frame";

  EXPECT_EQ(verdict_of(run), "wrong");
  EXPECT_EQ(summary_of(finished),
            "the submission interfered with the grading: frame 9: more data after the last frame");
}

TEST(ProcessVerdict, NamesWhoWaitsForWhat) {
  const json tasks = {{{"name", "worker 1"}, {"waits_for", "a queue"}}, {{"name", "main"}}};

  EXPECT_EQ(summary_of(with_fatal("deadlock", {{"tasks", tasks}})),
            "nothing can happen any more, and run has not ended: worker 1 waits for a queue, main");
}

TEST(ProcessVerdict, KnowsEveryFatal) {
  EXPECT_EQ(verdict_of(with_fatal("livelock", {{"steps", 200000}})), "livelock");
  EXPECT_EQ(verdict_of(with_fatal("blocked", {{"call", "nanosleep"}})), "blocked the loop");
  EXPECT_EQ(verdict_of(with_fatal("not_implemented", {{"what", "run"}})), "not implemented");
  EXPECT_EQ(verdict_of(with_fatal("crash", {{"signal", 11}})), "crash");
  EXPECT_EQ(verdict_of(with_fatal("something else")), "wrong");
}

TEST(ProcessVerdict, SurvivesDetailsOfAnyForm) {
  for (const json& detail : {json(), json(3), json("x"), json::array({1}), json{{"tasks", 1}},
                             json{{"tasks", {1, "x"}}}, json{{"call", {{"a", 1}}}}}) {
    for (const char* kind : {"deadlock", "exited", "blocked", "memory", "crash"}) {
      EXPECT_NE(verdict_of(with_fatal(kind, detail)), "none");
    }
  }
}

TEST(ProcessVerdict, WantsEveryRunComplete) {
  CaseRun run = complete();
  run.runs.emplace_back();
  CaseRun none = complete();
  none.runs.clear();

  EXPECT_EQ(verdict_of(run), "wrong");
  EXPECT_EQ(verdict_of(none), "wrong");
}

}  // namespace
}  // namespace driver
