// SPDX-License-Identifier: MIT
//
// The program `check` from its command line to its exit status, with compilers that are scripts.

#include "driver/core/check.hpp"

#include "driver/core/case_runs.hpp"
#include "driver/core/cli.hpp"
#include "driver/core/json_text.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driver {
namespace {

namespace fs = std::filesystem;
using testing::DemoKit;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CheckProgram : public ::testing::Test {
 protected:
  CheckProgram() {
    const nlohmann::json description{{"format", 1},
                                     {"root", demo_.kit().root},
                                     {"compiler", demo_.kit().compiler},
                                     {"compiler_name", "script 1"},
                                     {"include_dirs", nlohmann::json::array()},
                                     {"kits",
                                      {{"plain",
                                        {{"compile", nlohmann::json::array()},
                                         {"link", nlohmann::json::array()},
                                         {"pch", ""}}}}}};
    demo_.folder().write("kit.json", description.dump());
  }

  /// Runs `check` and keeps what it wrote.
  int run(std::vector<std::string> arguments) {
    std::vector<const char*> words{"check"};
    for (const std::string& argument : arguments) {
      words.push_back(argument.c_str());
    }
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int status = check_program(static_cast<int>(words.size()), words.data(),
                                     demo_.folder().path() / "kit.json");
    out_ = ::testing::internal::GetCapturedStdout();
    err_ = ::testing::internal::GetCapturedStderr();
    return status;
  }

  /// The submission, unless it was written before.
  std::string submission() { return demo_.submit("int x;\n").string(); }

  DemoKit demo_;
  std::string out_;
  std::string err_;
};

TEST_F(CheckProgram, RefusesAnUnknownExercise) {
  EXPECT_EQ(run({"demon", submission()}), 2);
  EXPECT_EQ(err_, "check: no exercise 'demon', did you mean 'demo'?\n");
  EXPECT_EQ(out_, "");
}

TEST_F(CheckProgram, RefusesAMissingFolder) {
  EXPECT_EQ(run({"demo", "/no/such"}), 2);
  EXPECT_EQ(err_, "check: no such folder: '/no/such'\n");
}

TEST_F(CheckProgram, RefusesAMissingFileBeforeBuilding) {
  demo_.write_compiler("touch " + (demo_.folder().path() / "built").string());
  demo_.folder().write("submitted/other.hpp", "x");

  EXPECT_EQ(run({"demo", (demo_.folder().path() / "submitted").string()}), 2);
  EXPECT_THAT(err_, HasSubstr("no solution.hpp in "));
  EXPECT_FALSE(fs::exists(demo_.folder().path() / "built"));
}

TEST_F(CheckProgram, RefusesAnUnknownCase) {
  EXPECT_EQ(run({"demo", submission(), "--case", "oen"}), 2);
  EXPECT_EQ(err_, "check: no case 'oen' in demo, did you mean 'one'?\n");
}

TEST_F(CheckProgram, RefusesAnUnknownSchedule) {
  EXPECT_EQ(run({"demo", submission(), "--schedule", "fivo"}), 2);
  EXPECT_THAT(err_, StartsWith("check: no schedule 'fivo', expected fifo, lifo, random:SEED"));
}

TEST_F(CheckProgram, RefusesABadCaseFileWithFileAndPointer) {
  const fs::path file = demo_.folder().write("own.json", R"([{"name": "x", "delay": -1}])");

  EXPECT_EQ(run({"demo", submission(), "--cases", file.string()}), 2);
  EXPECT_EQ(err_, "check: " + file.string() +
                      ": at /0/delay: expected a number of at least 0, found -1\n");
}

TEST_F(CheckProgram, RefusesAGoldenWithoutCases) {
  EXPECT_EQ(run({"demo", submission(), "--golden", "x.json"}), 2);
  EXPECT_THAT(err_, HasSubstr("--golden needs --cases"));
}

TEST_F(CheckProgram, RefusesWrongUsage) {
  EXPECT_EQ(run({"--nonsense"}), 2);
  EXPECT_EQ(run({"demo", submission(), "--repeat", "0"}), 2);
  EXPECT_EQ(run({"demo"}), 2);
  EXPECT_EQ(run({}), 2);
}

TEST_F(CheckProgram, ShowsItsHelp) {
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_THAT(out_, HasSubstr("Exit status: 0 pass"));
}

TEST_F(CheckProgram, IsAGraderFaultWithoutAKit) {
  fs::remove(demo_.folder().path() / "kit.json");

  EXPECT_EQ(run({"demo", submission()}), 4);
  EXPECT_THAT(err_, StartsWith("check: grader fault: the kit is not built"));
}

TEST_F(CheckProgram, ListsCasesWithoutASubmission) {
  EXPECT_EQ(run({"demo", "--list"}), 0);
  EXPECT_EQ(out_, "one\ntwo\n");
}

TEST_F(CheckProgram, SaysThatItCouldNotBeBuilt) {
  demo_.write_compiler("echo 'solution.hpp:1: no'; exit 1");

  EXPECT_EQ(run({"demo", submission()}), 3);
  EXPECT_THAT(out_, HasSubstr("could not build\nsolution.hpp:1: no\n"));
}

TEST_F(CheckProgram, WritesTheJsonReportAloneToStdout) {
  demo_.write_compiler("exit 1");

  EXPECT_EQ(run({"demo", submission(), "--json", "-"}), 3);
  const auto report = parse_json(out_, "stdout");
  EXPECT_EQ(report["verdict"], "could not build");
  EXPECT_EQ(report["cases"].size(), 2U);
  EXPECT_EQ(report["cases"][0]["verdict"], "could not build");
}

TEST_F(CheckProgram, WritesTheJsonReportToAFile) {
  demo_.write_compiler("exit 1");
  const fs::path file = demo_.folder().path() / "report.json";

  EXPECT_EQ(run({"demo", submission(), "--json", file.string()}), 3);
  EXPECT_EQ(read_json(file)["exercise"], "demo");
  EXPECT_THAT(out_, HasSubstr("could not build"));
}

TEST_F(CheckProgram, BlamesTheSubmissionWhenTheRunnerEndsBeforeItIsReady) {
  demo_.write_compiler(
      "for last; do :; done; printf '#!/bin/sh\\necho gone\\nexit 0\\n' > "
      "\"$last\"; chmod +x \"$last\"");

  EXPECT_EQ(run({"demo", submission()}), 1);
  EXPECT_THAT(out_, HasSubstr("exited early     one"));
  EXPECT_THAT(out_, HasSubstr("      | gone\n"));
}

TEST_F(CheckProgram, ReportsAGraderFaultAsAReportToo) {
  fs::remove(demo_.folder().path() / "compiler");

  EXPECT_EQ(run({"demo", submission(), "--json", "-"}), 4);
  EXPECT_EQ(parse_json(out_, "stdout")["verdict"], "grader fault");
}

TEST_F(CheckProgram, SaysThatRepeatedReportsAreTheSame) {
  demo_.write_compiler("exit 1");

  EXPECT_EQ(run({"demo", submission(), "--repeat", "3"}), 3);
  EXPECT_THAT(out_, HasSubstr("3 runs, byte-identical reports\n"));
}

TEST_F(CheckProgram, InfersTheExerciseFromAStartedFolder) {
  demo_.write_compiler("exit 1");
  const std::string folder = submission();
  demo_.folder().write("submitted/.ol.json", R"({"format": 1, "exercise": "demo"})");

  EXPECT_EQ(run({folder}), 3);
}

TEST(StableOutput, TakesOutWhatDiffersFromRunToRun) {
  Kit kit;
  kit.root = "/kit/root";

  EXPECT_EQ(stable_output("==123==ERROR: AddressSanitizer: at 0x7ffdc0ffee00 in f "
                          "/tmp/x/solution.hpp:3 /kit/root/driver/a.cpp",
                          "/tmp/x", kit),
            "==PID==ERROR: AddressSanitizer: at 0x? in f <submission>/solution.hpp:3 "
            "<kit>/driver/a.cpp");
  EXPECT_EQ(stable_output("==123== 0x7ffdc0ffee00", "/tmp/x", kit), "==123== 0x7ffdc0ffee00");
}

}  // namespace
}  // namespace driver
