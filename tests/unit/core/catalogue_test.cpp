// SPDX-License-Identifier: MIT
//
// Loading of an exercise, and of a catalogue that is broken.

#include "driver/core/catalogue.hpp"

#include "driver/core/errors.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using testing::DemoKit;
using testing::message_of;

TEST(Catalogue, LoadsEveryPartOfAnExercise) {
  const DemoKit demo;

  const Exercise exercise = load_exercise(demo.kit().catalog(), "demo");

  ASSERT_EQ(exercise.cases.size(), 2U);
  EXPECT_EQ(exercise.cases[0].name, "one");
  EXPECT_EQ(exercise.cases[0].data["delay"], 0.0);
  EXPECT_EQ(exercise.golden["two"]["observed"]["ended"], 2);
  EXPECT_EQ(rule_sentence(exercise, "S2"), "Two is two.");
  EXPECT_EQ(rule_sentence(exercise, "S9"), "");
  EXPECT_TRUE(catalogue_gaps(exercise).empty());
}

TEST(Catalogue, SuggestsTheNearestExercise) {
  const DemoKit demo;

  EXPECT_EQ(message_of<BadInput>([&] { load_exercise(demo.kit().catalog(), "demon"); }),
            "no exercise 'demon', did you mean 'demo'?");
  EXPECT_EQ(message_of<BadInput>([&] { load_exercise(demo.kit().catalog(), "../schema"); }),
            "no exercise '../schema' (there are: demo)");
}

TEST(Catalogue, IsAGraderFaultWhenBroken) {
  const DemoKit demo;
  const auto file = demo.folder().write("catalog/demo/rules.json", R"({"format": 2, "rules": []})");

  EXPECT_EQ(message_of<GraderFault>([&] { load_exercise(demo.kit().catalog(), "demo"); }),
            "the catalogue is broken: " + file.string() +
                ": at /format: expected 1, found 2 (and 1 more)");
}

TEST(Catalogue, IsAGraderFaultWithoutGoldens) {
  const DemoKit demo;
  std::filesystem::remove_all(demo.kit().catalog() / "demo" / "golden");

  EXPECT_THROW(load_exercise(demo.kit().catalog(), "demo"), GraderFault);
}

TEST(Catalogue, RefusesTwoGoldenEntriesForOneCase) {
  const DemoKit demo;
  demo.folder().write("catalog/demo/golden/second.json", R"({"one": {"observed": {}}})");

  const std::string message =
      message_of<GraderFault>([&] { load_exercise(demo.kit().catalog(), "demo"); });

  EXPECT_TRUE(message.ends_with("second.json: the case 'one' has an entry already")) << message;
}

TEST(CatalogueGaps, NamesWhatDoesNotFitTogether) {
  const DemoKit demo;
  demo.folder().write(
      "catalog/demo/golden/matrix.json",
      R"({"format": 1, "cases": {"one": {"observed": {}}, "x": {"observed": {}}}})");
  Exercise exercise = load_exercise(demo.kit().catalog(), "demo");
  exercise.cases[0].data["rules"] = {"S7"};
  exercise.pitfalls[0]["cases"] = {"nine"};

  const std::vector<std::string> gaps = catalogue_gaps(exercise);

  ASSERT_EQ(gaps.size(), 4U);
  EXPECT_EQ(gaps[0], "case one names the rule \"S7\", which does not exist");
  EXPECT_EQ(gaps[1], "case two has no golden entry");
  EXPECT_EQ(gaps[2], "golden entry x belongs to no case");
  EXPECT_EQ(gaps[3],
            "pitfall \"Counting from zero\" names the case \"nine\", which does not exist");
}

}  // namespace
}  // namespace driver
