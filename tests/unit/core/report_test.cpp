// SPDX-License-Identifier: MIT
//
// The JSON report: keys, order, exit codes, and the documented schema.

#include "driver/core/report.hpp"

#include "driver/core/case_file.hpp"
#include "tests/paths.hpp"
#include "tests/unit/core/demo_record.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::demo_exercise;
using testing::demo_record;

TEST(Report, HasItsKeysInTheDocumentedOrder) {
  const std::string text = report_text(make_report(demo_exercise(), demo_record()));

  std::size_t last = 0;
  for (const char* key : {"format", "exercise", "verdict", "submission", "kit", "compiler",
                          "schedule", "summary", "rules_failed", "warnings", "build", "cases"}) {
    const std::size_t place = text.find("\n \"" + std::string(key) + "\":");
    ASSERT_NE(place, std::string::npos) << key;
    EXPECT_GT(place, last) << key;
    last = place;
  }
}

TEST(Report, FollowsItsSchema) {
  const auto schema =
      load_schema(std::filesystem::path(paths::root) / "catalog" / "schema" / "report.schema.json");
  CheckRecord record = demo_record();
  const std::string digest = "sha256:" + std::string(64, '0');
  record.submission.digest = record.kit_digest = record.submission.files[0].digest = digest;
  json report = json::parse(report_text(make_report(demo_exercise(), record, Timings::include)));

  EXPECT_TRUE(schema.errors(report).empty()) << schema.errors(report).front().message();
  report["cases"][0]["verdict"] = "perhaps";
  EXPECT_FALSE(schema.errors(report).empty());
}

TEST(Report, HasTheKeysOfTheTextAndNoOthers) {
  const ordered_json report = make_report(demo_exercise(), demo_record());

  EXPECT_EQ(report["cases"][0]["report"].dump(), R"({"results":[1],"outcome":"ok"})");
}

TEST(Report, ShowsTimesInSeconds) {
  const ordered_json entry = make_report(demo_exercise(), demo_record())["cases"][1];

  EXPECT_EQ(entry["observed"]["timeline"][1].dump(), R"({"t":1.0,"ev":"yield","result":70})");
  EXPECT_EQ(entry["violations"][0].dump(),
            R"({"rule":"S2","check":"lead","time":1.0,"message":"pulled too much",)"
            R"("expected":3,"actual":4})");
}

TEST(Report, NamesTheCommandThatRepeatsACase) {
  CheckRecord record = demo_record();
  record.cases[1].test_case.name = "it's $HOME";

  EXPECT_EQ(make_report(demo_exercise(), record)["cases"][1]["reproduce"],
            "ol check demo . --case 'it'\\''s $HOME' --schedule fifo");
}

TEST(Report, CountsEveryVerdict) {
  const ordered_json summary = make_report(demo_exercise(), demo_record())["summary"];

  EXPECT_EQ(summary.size(), all_verdicts.size());
  EXPECT_EQ(summary["pass"], 1);
  EXPECT_EQ(summary["wrong"], 1);
  EXPECT_EQ(summary["deadlock"], 0);
}

TEST(Report, HasNoDurationsUnlessAsked) {
  const CheckRecord record = demo_record();

  EXPECT_EQ(report_text(make_report(demo_exercise(), record)).find("_ms"), std::string::npos);
  EXPECT_TRUE(
      make_report(demo_exercise(), record, Timings::include)["cases"][0].contains("timings"));
}

TEST(Report, IsValidUtf8WhateverTheSubmissionPrinted) {
  CheckRecord record = demo_record();
  record.cases[0].run.stdout_text = "\xff\x1b";

  const std::string text = report_text(make_report(demo_exercise(), record));

  EXPECT_EQ(json::parse(text)["cases"][0]["stdout"], "\xef\xbf\xbd\x1b");
}

TEST(Report, SurvivesACaseWithoutRun) {
  CheckRecord record = demo_record();
  record.cases[0].run.runs.clear();

  const ordered_json entry = make_report(demo_exercise(), record)["cases"][0];

  EXPECT_EQ(entry["report"], ordered_json::object());
  EXPECT_TRUE(entry["schedule"].is_null());
}

struct Ending {
  const char* name;
  Verdict verdict;
  bool is_built;
  ExitCode code;
  const char* overall;
};

class ReportEnding : public ::testing::TestWithParam<Ending> {};

TEST_P(ReportEnding, DecidesTheExitCode) {
  CheckRecord record = demo_record();
  record.cases[1].judgement.verdict = GetParam().verdict;
  record.build.is_ok = GetParam().is_built;

  EXPECT_EQ(exit_code(record), GetParam().code);
  EXPECT_EQ(make_report(demo_exercise(), record)["verdict"], GetParam().overall);
}

INSTANTIATE_TEST_SUITE_P(
    Endings, ReportEnding,
    ::testing::Values(
        Ending{"Pass", Verdict::pass, true, ExitCode::pass, "pass"},
        Ending{"Wrong", Verdict::wrong, true, ExitCode::fail, "fail"},
        Ending{"Crash", Verdict::crash, true, ExitCode::fail, "fail"},
        Ending{"NotImplemented", Verdict::not_implemented, true, ExitCode::fail, "fail"},
        Ending{"NotBuilt", Verdict::build_failed, false, ExitCode::not_built, "could not build"},
        Ending{"GraderFault", Verdict::grader_fault, true, ExitCode::grader_fault, "grader fault"},
        Ending{"FaultBeforeBuild", Verdict::grader_fault, false, ExitCode::grader_fault,
               "grader fault"}),
    [](const auto& information) { return std::string(information.param.name); });

}  // namespace
}  // namespace driver
