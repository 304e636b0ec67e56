// SPDX-License-Identifier: MIT
//
// Texts in another language, and what happens to those that have no translation.

#include "driver/core/language.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/tests_page.hpp"
#include "driver/core/text_report.hpp"
#include "tests/paths.hpp"
#include "tests/unit/core/demo_kit.hpp"
#include "tests/unit/core/demo_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace driver {
namespace {

using testing::demo_exercise;
using testing::demo_record;
using testing::DemoKit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;
using ::testing::Not;

namespace fs = std::filesystem;

const fs::path catalog = fs::path(paths::root) / "catalog";

TEST(Language, LeavesEnglishAsItIs) {
  const Language english = Language::load(catalog, "");

  EXPECT_EQ(english("{0}, as {1}", {"2 cases", "x"}), "2 cases, as x");
  EXPECT_EQ(english.plural(1, "case"), "1 case");
  EXPECT_EQ(english.plural(0, "case"), "0 cases");
  EXPECT_EQ(english.sentence("it crashed"), "it crashed");
}

TEST(Language, FillsInWhatStandsInItsPlaces) {
  const Language dutch = Language::load(catalog, "nl");

  EXPECT_EQ(dutch("{0}, as {1}", {"2 gevallen", "x"}), "2 gevallen, zoals x");
  EXPECT_EQ(dutch("again: {0}", {"{1}"}), "opnieuw: {1}") << "a value is not filled in again";
  EXPECT_EQ(dutch.plural(2, "case"), "2 gevallen");
  EXPECT_EQ(dutch("nobody translated this {0}", {"yet"}), "nobody translated this yet");
}

TEST(Language, FindsTheValuesOfASentenceThatIsPutTogether) {
  const Language dutch = Language::load(catalog, "nl");

  EXPECT_EQ(dutch.sentence("P1: \"peak\" of the report is not what a right solution gives"),
            "P1: \"peak\" in het rapport is niet wat een goede oplossing geeft");
  EXPECT_EQ(dutch.sentence("the submission ended the program with _Exit(3)"),
            "de inzending beëindigde het programma met _Exit(3)");
  EXPECT_EQ(dutch.sentence("nothing can happen any more, and run has not ended"),
            "er kan niets meer gebeuren, en de aanroep is niet geëindigd");
  EXPECT_EQ(dutch.sentence("the frobnicator: it broke"), "the frobnicator: it broke");
  EXPECT_EQ(dutch.sentence(""), "");
}

TEST(Language, NamesTheLanguagesThatThereAre) {
  EXPECT_EQ(message_of<BadInput>([] { Language::load(catalog, "../nl"); }),
            "no language '../nl' (there are: en, nl)");
}

TEST(Language, TranslatesWhatPeopleReadOfAnExercise) {
  const Exercise pipeline = load_exercise(catalog, "pipeline");
  const Language dutch = Language::load(catalog, "nl");

  const std::string page = tests_page(pipeline, dutch);

  EXPECT_THAT(page, HasSubstr("waarom: De kleinste pipeline"));
  EXPECT_THAT(page, HasSubstr("\nvalkuilen\n  Een taak voor ieder item"));
  EXPECT_THAT(page, Not(HasSubstr("why:")));
  EXPECT_THAT(dutch.gaps(pipeline), IsEmpty());
}

TEST(Language, KeepsAnExerciseThatItDoesNotHaveInEnglish) {
  const Language dutch = Language::load(catalog, "nl");

  const std::string text = text_report(demo_exercise(), demo_record(),
                                       {.colour = false, .most_details = 8, .language = dutch});

  EXPECT_THAT(text, HasSubstr("2 gevallen: 1 goed, 1 fout; 48 runs\n"));
  EXPECT_THAT(text, HasSubstr("  S2  Two is two.\n      op 1.000 s: pulled too much\n"));
  EXPECT_THAT(text, HasSubstr("hierna: regel S2; dit geval alleen: ol check demo . --case bad"));
}

TEST(Language, SaysWhatItLacksOfAnExercise) {
  Exercise pipeline = load_exercise(catalog, "pipeline");
  const Language dutch = Language::load(catalog, "nl");

  pipeline.cases.front().name = "new";
  pipeline.rules.erase(0);

  EXPECT_THAT(dutch.gaps(pipeline),
              ElementsAre("a rule 'P1' that the exercise does not have", "no case 'new'",
                          "a case 'text_example' that the exercise does not have"));
}

TEST(Language, ThatIsBrokenIsAFaultOfTheCatalogue) {
  const DemoKit demo;
  const fs::path folder = demo.kit().catalog();
  fs::create_directories(folder / "languages");
  fs::create_directories(folder / "schema");
  fs::copy_file(catalog / "schema/language.schema.json", folder / "schema/language.schema.json",
                fs::copy_options::overwrite_existing);
  std::ofstream(folder / "languages/xx.json")
      << R"({"format": 1, "name": 7, "messages": {}, "sentences": {}, "exercises": {}})";

  EXPECT_THAT(message_of<GraderFault>([&] { Language::load(folder, "xx"); }),
              HasSubstr("at /name: expected a string"));
}

}  // namespace
}  // namespace driver
