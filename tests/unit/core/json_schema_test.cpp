// SPDX-License-Identifier: MIT
//
// Every keyword: what it refuses, where, and in which words.

#include "driver/core/json_schema.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using nlohmann::json;

/// The message of the first mistake, or "valid".
std::string verdict(const char* schema, const char* value) {
  const auto errors = JsonSchema(json::parse(schema)).errors(json::parse(value));
  return errors.empty() ? "valid" : errors.front().message();
}

struct Example {
  const char* name;
  const char* schema;
  const char* value;
  const char* message;
};

class JsonSchemaKeyword : public ::testing::TestWithParam<Example> {};

TEST_P(JsonSchemaKeyword, SaysWhatIsWrong) {
  EXPECT_EQ(verdict(GetParam().schema, GetParam().value), GetParam().message);
}

constexpr const char* range = R"({"type": "number", "minimum": 0, "maximum": 9})";
constexpr const char* positive = R"({"type": "number", "exclusiveMinimum": 0})";
constexpr const char* integer = R"({"type": "integer"})";
constexpr const char* words = R"({"type": "array", "minItems": 1, "maxItems": 2, "items":
    {"type": "string", "minLength": 1, "maxLength": 3}})";
constexpr const char* object = R"({"type": "object", "required": ["name"], "properties":
    {"name": {"type": "string"}, "workers": {"type": "integer"}}, "additionalProperties": false})";
constexpr const char* numbered = R"({"type": "object", "propertyNames": {"format": "integer"},
    "additionalProperties": {"type": "boolean"}})";
constexpr const char* choice = R"({"enum": ["none", "record", "raise"]})";
constexpr const char* step = R"({"anyOf": [{"$ref": "#/$defs/hang"}, {"$ref": "#/$defs/wait"}],
    "$defs": {"hang": {"type": "object", "properties": {"kind": {"const": "hang"}},
    "additionalProperties": false}, "wait": {"type": "object", "required": ["delay"],
    "properties": {"kind": {"const": "wait"}, "delay": {"type": "number"}}}}})";
constexpr const char* either = R"({"anyOf": [{"type": "number", "minimum": 0},
    {"type": "array", "items": {"type": "number"}}]})";
constexpr const char* split = R"({"type": "object", "if": {"required": ["a"]},
    "then": {"required": ["b"]}, "else": {"required": ["c"]}})";

INSTANTIATE_TEST_SUITE_P(
    Examples, JsonSchemaKeyword,
    ::testing::Values(
        Example{"InRange", range, "9", "valid"},
        Example{"BelowMinimum", range, "-0.5",
                "at the top level: expected a number from 0 to 9, found -0.5"},
        Example{"AboveMaximum", range, "9.5",
                "at the top level: expected a number from 0 to 9, found 9.5"},
        Example{"WrongType", range, "\"1\"",
                "at the top level: expected a number from 0 to 9, found \"1\""},
        Example{"BooleanIsNoNumber", range, "true",
                "at the top level: expected a number from 0 to 9, found true"},
        Example{"ExclusiveMinimum", positive, "0",
                "at the top level: expected a number above 0, found 0"},
        Example{"FractionIsNoInteger", integer, "2.5",
                "at the top level: expected an integer, found 2.5"},
        Example{"FloatIsNoInteger", integer, "2.0",
                "at the top level: expected an integer, found 2.0"},
        Example{"TooFewItems", words, "[]",
                "at the top level: expected at least 1 entries, found 0 entries"},
        Example{"TooManyItems", words, R"(["a", "b", "c"])",
                "at the top level: expected at most 2 entries, found 3 entries"},
        Example{"TooLong", words, R"(["abcd"])",
                "at /0: expected at most 3 characters, found 4 characters"},
        Example{"CharactersNotBytes", words, "[\"\xc3\xa9\xc3\xa9\xc3\xa9\"]", "valid"},
        Example{"MissingKey", object, "{}",
                "at the top level: expected the key 'name', found an object without it"},
        Example{"UnknownKeyNear", object, R"({"name": "x", "wrokers": 1})",
                "at /wrokers: expected a known key (did you mean 'workers'?), found the unknown "
                "key 'wrokers'"},
        Example{"UnknownKeyFar", object, R"({"name": "x", "zzz": 1})",
                "at /zzz: expected one of the keys name, workers, found the unknown key 'zzz'"},
        Example{"KeyIsNoInteger", numbered, R"({"x": true})",
                "at /x: expected an integer as key, found 'x'"},
        Example{"KeyWithLeadingZero", numbered, R"({"01": true})",
                "at /01: expected an integer as key, found '01'"},
        Example{"NegativeKey", numbered, R"({"-3": true})", "valid"},
        Example{"NotInEnum", choice, "\"recrod\"",
                "at the top level: expected one of \"none\", \"record\", \"raise\" (did you mean "
                "'record'?), found \"recrod\""},
        Example{"BranchByConst", step, R"({"kind": "hang", "delay": 1})",
                "at /delay: expected one of the keys kind, found the unknown key 'delay'"},
        Example{"NoSuchBranch", step, R"({"kind": "hand"})",
                "at /kind: expected one of \"hang\", \"wait\" (did you mean 'hang'?), found "
                "\"hand\""},
        Example{"NoDiscriminator", step, "{}",
                "at the top level: expected the key 'kind', one of \"hang\", \"wait\", found an "
                "object without it"},
        Example{"BranchByType", either, "[1, \"x\"]", "at /1: expected a number, found \"x\""},
        Example{"NoBranchOfThisType", either, "null",
                "at the top level: expected a number or an array, found null"},
        Example{"Then", split, R"({"a": 1})",
                "at the top level: expected the key 'b', found an object without it"},
        Example{"Else", split, "{}",
                "at the top level: expected the key 'c', found an object without it"},
        Example{"PointerIsEscaped", R"({"type": "object", "additionalProperties": false})",
                R"({"a/b~c": 1})",
                "at /a~1b~0c: expected one of the keys , found the unknown key 'a/b~c'"}),
    [](const auto& information) { return std::string(information.param.name); });

TEST(JsonSchema, ComparesIntegersOf64BitsExactly) {
  const char* schema = R"({"type": "integer", "maximum": 9223372036854775807})";

  EXPECT_EQ(verdict(schema, "9223372036854775807"), "valid");
  EXPECT_NE(verdict(schema, "9223372036854775808"), "valid");
}

TEST(JsonSchema, StopsAfterTwentyMistakes) {
  const JsonSchema schema(json::parse(R"({"type": "array", "items": {"type": "string"}})"));

  EXPECT_EQ(schema.errors(json(std::vector<int>(1000, 1))).size(), 20U);
}

TEST(JsonSchema, FillsInDefaultsOfTheRightBranch) {
  const JsonSchema schema(json::parse(R"({"type": "object", "properties": {
      "metrics": {"enum": ["none", "record"], "default": "none"},
      "steps": {"type": "array", "items": {"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "a"}, "delay": {"default": 0.5}}},
        {"type": "object", "properties": {"kind": {"const": "b"}, "count": {"default": 3}}}]}}}})"));

  const json filled = schema.with_defaults(json::parse(R"({"steps": [{"kind": "b"}]})"));

  EXPECT_EQ(filled, json::parse(R"({"metrics": "none", "steps": [{"kind": "b", "count": 3}]})"));
}

TEST(JsonSchema, RefusesKeywordsItDoesNotKnow) {
  EXPECT_THROW(JsonSchema(json::parse(R"({"properties": {"a": {"pattern": "x"}}})")),
               std::invalid_argument);
  EXPECT_THROW(JsonSchema(json::parse(R"({"$ref": "#/$defs/missing"})")), std::invalid_argument);
}

}  // namespace
}  // namespace driver
