// SPDX-License-Identifier: MIT
//
// An instructor's case files against the real schema of pool-stop: every mistake has its file, its
// JSON pointer and what was expected.

#include "driver/core/case_file.hpp"

#include "driver/core/errors.hpp"
#include "tests/paths.hpp"
#include "tests/unit/core/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::TemporaryFolder;

const std::filesystem::path catalog = std::filesystem::path(paths::root) / "catalog";

std::vector<Case> load(const std::filesystem::path& file) {
  return load_case_file(file, catalog, catalog / "pool" / "case.schema.json");
}

/// A right case, with what `patch` (a JSON merge patch) changes.
json case_with(const char* patch) {
  json result = json::parse(R"({"name": "mine", "rule": "free text", "tie": false, "workers": 2,
    "queue_size": 2, "item_timeout": 1.0, "retryable": ["Transient"], "max_retries": 1,
    "items": [1, 2], "behaviours": {"1": {"kind": "succeed", "delay": 0.5},
    "2": [{"kind": "fail", "error": "Transient", "delay": 0, "times": 1}, {"kind": "hang"}]},
    "metrics": "record"})");
  result.merge_patch(json::parse(patch));
  return result;
}

struct Mistake {
  const char* name;
  const char* patch;
  const char* message;
};

class CaseFileMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(CaseFileMistake, IsRefusedWithPointerAndExpectation) {
  const TemporaryFolder folder;
  const auto file = folder.write("own.json", json::array({case_with(GetParam().patch)}).dump());

  EXPECT_EQ(message_of<BadInput>([&] { load(file); }), file.string() + ": " + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, CaseFileMistake,
    ::testing::Values(
        Mistake{"NegativeTime", R"({"behaviours": {"1": {"delay": -0.5}}})",
                "at /0/behaviours/1/delay: expected a number from 0 to 1000000, found -0.5"},
        Mistake{"NegativeTimeout", R"({"item_timeout": -1})",
                "at /0/item_timeout: expected a number above 0 and at most 1000000, found -1"},
        Mistake{"HugeTime", R"({"stop_at": 1e300})",
                "at /0/stop_at: expected a number from 0 to 1000000, found 1e+300"},
        Mistake{"UnknownBehaviour", R"({"behaviours": {"1": {"kind": "succed"}}})",
                "at /0/behaviours/1/kind: expected one of \"succeed\", \"fail\", \"hang\", "
                "\"late\", \"late_error\", \"slow_cleanup\", \"cancel_self\", \"ignore\" (did you "
                "mean 'succeed'?), found \"succed\""},
        Mistake{"BehaviourWithoutKind", R"({"behaviours": {"1": {"kind": null}}})",
                "at /0/behaviours/1: expected the key 'kind', one of \"succeed\", \"fail\", "
                "\"hang\", \"late\", \"late_error\", \"slow_cleanup\", \"cancel_self\", "
                "\"ignore\", found an object without it"},
        Mistake{"KeyOfAnotherBehaviour", R"({"behaviours": {"1": {"kind": "hang"}}})",
                "at /0/behaviours/1/delay: expected one of the keys kind, found the unknown key "
                "'delay'"},
        Mistake{"UnknownKey", R"({"wrokers": 3})",
                "at /0/wrokers: expected a known key (did you mean 'workers'?), found the unknown "
                "key 'wrokers'"},
        Mistake{"MissingKey", R"({"workers": null})",
                "at /0: expected the key 'workers', found an object without it"},
        Mistake{"WrongType", R"({"workers": "two"})",
                "at /0/workers: expected an integer from 1 to 10000, found \"two\""},
        Mistake{"BooleanLimit", R"({"workers": true})",
                "at /0/workers: expected an integer from 1 to 10000, found true"},
        Mistake{"NoWorkers", R"({"workers": 0})",
                "at /0/workers: expected an integer from 1 to 10000, found 0"},
        Mistake{"FractionalItem", R"({"items": [1, 2.5]})",
                "at /0/items/1: expected an integer from -922337203685477580 to "
                "922337203685477580, found 2.5"},
        Mistake{"UnknownError", R"({"retryable": ["KeyError"]})",
                "at /0/retryable/0: expected one of \"Transient\", \"TransientChild\", \"Flaky\", "
                "\"Permanent\", \"Unprintable\", \"ValueError\", \"RuntimeError\", "
                "\"LookupError\", \"OSError\", \"TimeoutError\", \"Exception\", found "
                "\"KeyError\""},
        Mistake{"BehaviourOfNoItem", R"({"behaviours": {"one": {"kind": "hang"}}})",
                "at /0/behaviours/one: expected an integer as key, found 'one'"},
        Mistake{"SourceKey", R"({"source": {"dealy": 1}})",
                "at /0/source/dealy: expected a known key (did you mean 'delay'?), found the "
                "unknown key 'dealy'"},
        Mistake{
            "ScenarioWithMatrixKeys", R"({"scenario": "constructor"})",
            "at /0/behaviours: expected one of the keys checks, cost, exhaustive, family, "
            "kind, name, options, "
            "rule, rules, rules_by_key, scenario, steps, why, found the unknown key 'behaviours' "
            "(and 8 more)"}),
    [](const auto& information) { return std::string(information.param.name); });

TEST(CaseFile, AcceptsABareArrayAndTheFullShape) {
  const TemporaryFolder folder;
  const json list = json::array({case_with("{}")});

  EXPECT_EQ(load(folder.write("bare.json", list.dump())).size(), 1U);
  EXPECT_EQ(load(folder.write("full.json", json{{"format", 1}, {"cases", list}}.dump())).size(),
            1U);
}

TEST(CaseFile, FillsInTheDefaultsOfTheText) {
  const TemporaryFolder folder;
  const auto file = folder.write("own.json", R"([{"name": "x", "workers": 1, "queue_size": 1,
      "item_timeout": 1, "items": [7]}])");

  const json data = load(file).front().data;

  EXPECT_EQ(data["retryable"], json::array());
  EXPECT_EQ(data["max_retries"], 0);
  EXPECT_EQ(data["metrics"], "none");
  EXPECT_EQ(data["tie"], false);
}

TEST(CaseFile, RefusesTwoCasesOfOneName) {
  const TemporaryFolder folder;
  const auto file =
      folder.write("own.json", json::array({case_with("{}"), case_with("{}")}).dump());

  EXPECT_EQ(message_of<BadInput>([&] { load(file); }),
            file.string() + ": at /1/name: expected a name of its own, found 'mine' as at /0");
}

TEST(CaseFile, RefusesWhatIsNoListOfCases) {
  const TemporaryFolder folder;
  const auto message = [&folder](const char* text) {
    const auto file = folder.write("own.json", text);
    return message_of<BadInput>([&] { load(file); }).substr(file.string().size());
  };

  EXPECT_EQ(message("{}"),
            ": at the top level: expected the key 'format', found an object without it (and 1 "
            "more)");
  EXPECT_EQ(message("[]"), ": at the top level: expected at least 1 entries, found 0 entries");
  EXPECT_EQ(message("[3]"), ": at /0: expected an object, found 3");
  EXPECT_EQ(message(R"({"format": 1, "cases": [{"name": 3}]})"),
            ": at /cases/0/name: expected a string, found 3");
  EXPECT_TRUE(message("not json").starts_with(": is not JSON, at line 1, column "));
}

TEST(CaseFileSlow, SurvivesTheLargestCase) {
  const TemporaryFolder folder;
  json large = case_with("{}");
  large["items"] = std::vector<int>(200'000, 1);

  EXPECT_EQ(load(folder.write("own.json", json::array({large}).dump())).size(), 1U);
  large["items"].push_back(1);
  const auto file = folder.write("own.json", json::array({large}).dump());
  EXPECT_EQ(message_of<BadInput>([&] { load(file); }),
            file.string() + ": at /0/items: expected at most 200000 entries, found 200001 entries");
}

TEST(GoldenFile, AcceptsABareObjectAndTheFullShape) {
  const TemporaryFolder folder;
  const char* entries = R"({"x": {"tie": false, "rule": "r", "report": {}, "observed":
      {"yielded": [], "ended": 0.5, "loop_errors": []}, "also_allowed": []}})";

  EXPECT_TRUE(load_golden_file(folder.write("bare.json", entries), catalog).contains("x"));
  const auto full =
      folder.write("full.json", R"({"format": 1, "cases": )" + std::string(entries) + "}");
  EXPECT_TRUE(load_golden_file(full, catalog).contains("x"));
}

TEST(GoldenFile, RefusesAWrongEntryWithItsPointer) {
  const TemporaryFolder folder;
  const auto file = folder.write("own.json", R"({"x": {"report": {}, "observed": {"ended": -1}}})");

  EXPECT_EQ(message_of<BadInput>([&] { load_golden_file(file, catalog); }),
            file.string() + ": at /x/observed/ended: expected a number of at least 0, found -1");
}

}  // namespace
}  // namespace driver
