// SPDX-License-Identifier: MIT
//
// Reports that are the same, and each kind of difference.

#include "driver/core/compare.hpp"

#include "tests/unit/core/demo_record.hpp"
#include "tests/unit/core/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace driver {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::TemporaryFolder;

json report() {
  return json::parse(report_text(make_report(testing::demo_exercise(), testing::demo_record())));
}

/// A report with one case, as a golden file sees it.
json report_of(const char* text, const char* observed) {
  return {{"cases",
           {{{"name", "x"}, {"report", json::parse(text)}, {"observed", json::parse(observed)}}}}};
}

TEST(Canonical, SortsWithinOneInstantOnly) {
  const json left = json::parse(R"({"timeline": [{"t": 0, "ev": "b"}, {"t": 0, "ev": "a"},
      {"t": 1, "ev": "c"}], "metrics": [["ok", "2", 0.5], ["ok", "1", 0.5]],
      "group": [["B", "b"], ["A", "a"]], "log": [[0.0, "z"], [0.0, "y"]]})");

  EXPECT_EQ(canonical(left), json::parse(R"({"timeline": [{"t": 0, "ev": "a"},
      {"t": 0, "ev": "b"}, {"t": 1, "ev": "c"}], "metrics": [["ok", "1", 0.5], ["ok", "2", 0.5]],
      "group": [["A", "a"], ["B", "b"]], "log": [[0.0, "y"], [0.0, "z"]]})"));
}

TEST(Canonical, KeepsTheOrderOfDifferentInstants) {
  const json log = json::parse(R"({"log": [[1.0, "z"], [0.5, "y"]]})");

  EXPECT_EQ(canonical(log), log);
}

TEST(Canonical, OrdersResultsYieldedAtOneInstant) {
  const json observed = json::parse(R"({"yielded": [30, 20, 10], "timeline": [
      {"t": 1, "ev": "yield", "result": 30}, {"t": 1, "ev": "yield", "result": 20},
      {"t": 2, "ev": "yield", "result": 10}]})");

  EXPECT_EQ(canonical(observed)["yielded"], json({20, 30, 10}));
}

TEST(Canonical, DoesNotHideResultsThatTheTimelineLacks) {
  const json observed = json::parse(R"({"yielded": [1, 2], "timeline": [
      {"t": 1, "ev": "yield", "result": 2}, {"t": 1, "ev": "yield", "result": 3}]})");

  EXPECT_EQ(canonical(observed)["yielded"], json({1, 2}));
}

TEST(CompareReports, FindsAReportTheSameAsItself) {
  EXPECT_TRUE(compare_reports(report(), report()).empty());
}

TEST(CompareReports, IgnoresDigestsCompilerAndOutput) {
  json other = report();
  other["compiler"] = "clang 16";
  other["kit"]["digest"] = "x";
  other["cases"][0]["stdout"] = "hello";

  EXPECT_TRUE(compare_reports(report(), other).empty());
}

TEST(CompareReports, NamesEachDifferenceByPath) {
  json other = report();
  other["cases"][0]["report"]["results"] = {1, 2};
  other["cases"][1]["name"] = "gone";

  const auto found = compare_reports(report(), other);

  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].path, "/cases/bad");
  EXPECT_EQ(found[0].golden, "absent");
  EXPECT_EQ(found[1].path, "/cases/gone");
  EXPECT_EQ(found[2].path, "/cases/good/report/results/1");
  EXPECT_EQ(found[2].report, "absent");
  EXPECT_EQ(found[2].golden, "2");
}

constexpr const char* golden_file = R"({"format": 1, "cases": {"x": {
    "report": {"results": [1], "max_lead": 3}, "observed": {"ended": 1.0, "loop_errors": []},
    "also_allowed": [{"report": {"results": [1, 2], "max_lead": 3}, "observed": {"ended": 2.0}}],
    "tie_reports": [{"results": [], "max_lead": 3}]}}})";

TEST(CompareWithGolden, AcceptsEachAllowedReading) {
  const json golden = json::parse(golden_file);

  EXPECT_TRUE(
      compare_reports(report_of(R"({"results": [1], "max_lead": 3})", R"({"ended": 1})"), golden)
          .empty());
  EXPECT_TRUE(
      compare_reports(report_of(R"({"results": [1, 2], "max_lead": 2})", R"({"ended": 2})"), golden)
          .empty());
  EXPECT_TRUE(
      compare_reports(report_of(R"({"results": [], "max_lead": 3})", R"({"ended": 9})"), golden)
          .empty());
}

TEST(CompareWithGolden, RefusesAMixtureOfReadingsAndALargerLead) {
  const json golden = json::parse(golden_file);

  const auto mixed = compare_reports(
      report_of(R"({"results": [1, 2], "max_lead": 3})", R"({"ended": 1})"), golden);
  const auto lead =
      compare_reports(report_of(R"({"results": [1], "max_lead": 4})", R"({"ended": 1})"), golden);

  ASSERT_EQ(mixed.size(), 1U);
  ASSERT_EQ(lead.size(), 1U);
  EXPECT_EQ(lead[0].path, "/cases/x/report/max_lead");
}

TEST(CompareReports, RefusesWhatIsNeither) {
  for (const char* text : {"{}", "[]", "3", R"({"cases": [{}]})", R"({"cases": [{"name": 3}]})"}) {
    EXPECT_THROW(compare_reports(json::parse(text), report()), BadInput) << text;
  }
  EXPECT_THROW(compare_reports(report(), json::parse(R"({"x": 3})")), BadInput);
}

TEST(RunCompare, PrintsTheDifferencesAndGivesTheExitCode) {
  const TemporaryFolder folder;
  json other = report();
  other["verdict"] = "pass";
  const auto first = folder.write("a.json", report().dump());
  const auto second = folder.write("b.json", other.dump());
  std::ostringstream same;
  std::ostringstream different;

  EXPECT_EQ(run_compare(first, first, {}, same), ExitCode::pass);
  EXPECT_EQ(run_compare(first, second, {}, different), ExitCode::fail);

  EXPECT_EQ(same.str(), "same\n");
  EXPECT_EQ(different.str(), "/verdict\n  report  \"fail\"\n  golden  \"pass\"\n1 difference\n");
}

TEST(RunCompare, TakesAFolderOfGoldenFiles) {
  const TemporaryFolder folder;
  folder.write("golden/a.json",
               R"({"format": 1, "cases": {"good": {"observed": {"ended": 1.5}}}})");
  folder.write("golden/b.json", R"({"bad": {"observed": {"ended": 1.5}}})");
  std::ostringstream out;

  EXPECT_EQ(run_compare(folder.write("a.json", report().dump()), folder.path() / "golden", {}, out),
            ExitCode::pass);
  EXPECT_EQ(out.str(), "same\n");
}

TEST(RunCompare, RefusesAFileThatCannotBeRead) {
  std::ostringstream out;

  EXPECT_EQ(message_of<BadInput>([&] { run_compare("/no/a.json", "/no/b.json", {}, out); }),
            "/no/a.json: no such file");
}

}  // namespace
}  // namespace driver
