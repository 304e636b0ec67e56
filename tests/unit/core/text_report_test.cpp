// SPDX-License-Identifier: MIT
//
// What a person reads.

#include "driver/core/text_report.hpp"

#include "driver/core/case_text.hpp"
#include "tests/unit/core/demo_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driver {
namespace {

using testing::demo_case;
using testing::demo_exercise;
using testing::demo_record;
using testing::demo_violation;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(TextReport, ShowsAFailureWithEverythingToUnderstandIt) {
  const std::string text = text_report(demo_exercise(), demo_record());

  EXPECT_EQ(text, R"(demo: 2 cases, schedule fifo, clang 19.1.7
  pass             good
  wrong            bad  S2: pulled too much

bad: wrong
  S2: pulled too much
  S2  Two is two.
      at 1.000 s: pulled too much
      expected  3
      actual    4
  timeline, in virtual time
         0.000 s  pull            item 7  k 1
    >    1.000 s  yield           result 70
         1.500 s  end
  again: ol check demo . --case bad --schedule fifo

2 cases: 1 pass, 1 wrong; 48 runs
failures by cause, the likely root first
  S2  1 case, as bad: Two is two.
next: rule S2; one case alone: ol check demo . --case bad --schedule fifo
)");
}

TEST(TextReport, SaysThatAFailureNeedsAnotherOrderOfEvents) {
  CheckRecord record = demo_record();
  record.cases[1].run.runs[0].schedule = "path:4=1.9=2";
  record.cases[1].found_by = "random:7";

  EXPECT_THAT(text_report(demo_exercise(), record),
              HasSubstr("  only under some orders of events: found by random:7, shortened to 2 "
                        "choices that differ from fifo\n"));
}

TEST(TextReport, CountsCasesOfWhichEveryOrderWasSeen) {
  CheckRecord record = demo_record();
  record.cases[0].run.saw_all = true;
  record.cases[1].run.saw_all = false;

  EXPECT_THAT(text_report(demo_exercise(), record),
              HasSubstr("; 48 runs, in 1 case every order of events\n"));
}

TEST(TextReport, EndsWithHandingInWhenAllPass) {
  CheckRecord record = demo_record();
  record.cases.pop_back();

  EXPECT_THAT(text_report(demo_exercise(), record), HasSubstr("next: hand in solution.hpp"));
}

TEST(TextReport, GroupsByRootAndPutsWhatKeptCasesFromRunningFirst) {
  CheckRecord record = demo_record();
  for (int count = 0; count < 3; ++count) {
    record.cases.push_back(demo_case("more" + std::to_string(count), Verdict::wrong));
    record.cases.back().judgement.violations = {demo_violation("S1"), demo_violation("S2")};
  }
  record.cases.push_back(demo_case("stuck", Verdict::deadlock));

  EXPECT_THAT(text_report(demo_exercise(), record),
              HasSubstr("  deadlock  1 case, as stuck\n  S1  3 cases, as more0: One is one.\n"
                        "  S2  1 case, as bad: Two is two.\n"));
}

TEST(TextReport, ShowsFewCasesInFullButEveryCause) {
  CheckRecord record = demo_record();
  for (int count = 0; count < 20; ++count) {
    record.cases.push_back(demo_case("more" + std::to_string(count), Verdict::wrong));
    record.cases.back().judgement.violations = {demo_violation("S1")};
  }
  const std::string text =
      text_report(demo_exercise(), record, {.colour = false, .most_details = 2});

  EXPECT_THAT(text, HasSubstr("\nmore0: wrong\n"));
  EXPECT_THAT(text, HasSubstr("\nbad: wrong\n"));
  EXPECT_THAT(text, Not(HasSubstr("\nmore1: wrong\n")));
  EXPECT_THAT(text, HasSubstr("19 more failed cases not shown in full"));
}

TEST(TextReport, ShowsOneOfManyThatAreNotImplemented) {
  CheckRecord record = demo_record();
  record.cases = {demo_case("one", Verdict::not_implemented),
                  demo_case("two", Verdict::not_implemented)};

  const std::string text = text_report(demo_exercise(), record);

  EXPECT_THAT(text, HasSubstr("\none: not implemented\n"));
  EXPECT_THAT(text, Not(HasSubstr("\ntwo: not implemented\n")));
  EXPECT_THAT(text, HasSubstr("next: write what solution.hpp marks with TODO"));
}

TEST(TextReport, ShowsTheCompilersWordsAlone) {
  CheckRecord record = demo_record();
  record.build = {.is_ok = false, .program = {}, .output = "<submission>/solution.hpp:1: no\n"};
  record.cases = {demo_case("good", Verdict::build_failed)};

  EXPECT_EQ(text_report(demo_exercise(), record),
            "demo: 1 case, schedule fifo, clang 19.1.7\n\ncould not build\n"
            "<submission>/solution.hpp:1: no\n\nnext: make it compile; the first error counts\n");
}

TEST(TextReport, EscapesEverythingForeign) {
  CheckRecord record = demo_record();
  record.warnings = {"\x1b[2J"};
  record.cases[1].test_case.name = "a\x1b[31mb";
  record.cases[1].run.stdout_text = "\x1b]0;title\x07\nline";
  record.cases[1].run.runs[0].events[1].fields["result"] = "\x1b[1m";
  record.cases[1].judgement.violations[0].actual = "\x1b[1m";

  const std::string text = text_report(demo_exercise(), record);

  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("      | \\x1b]0;title\\x07\n      | line\n"));
}

TEST(TextReport, IsColouredOnlyWhenAsked) {
  EXPECT_THAT(text_report(demo_exercise(), demo_record(), {.colour = true}),
              HasSubstr("\x1b[31mwrong"));
}

TEST(WantsColour, NeverInAPipe) { EXPECT_FALSE(wants_colour(-1)); }

TEST(TimeText, HasThreeToNineDecimals) {
  EXPECT_EQ(time_text(0), "0.000 s");
  EXPECT_EQ(time_text(1'500'000'000), "1.500 s");
  EXPECT_EQ(time_text(562'100'000), "0.5621 s");
  EXPECT_EQ(time_text(1), "0.000000001 s");
  EXPECT_EQ(time_text(-1'250'000'000), "-1.250 s");
}

}  // namespace
}  // namespace driver
