// SPDX-License-Identifier: MIT
//
// Hostile and broken JSON: every one ends in a message with its place.

#include "driver/core/json_text.hpp"

#include "driver/core/errors.hpp"
#include "tests/unit/core/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

std::string refusal(const std::string& text, const JsonLimits& limits = {}) {
  return testing::message_of<BadInput>([&] { parse_json(text, "file", limits); });
}

TEST(ParseJson, ReadsAValue) { EXPECT_EQ(parse_json("{\"a\": [1, 2.5]}", "file")["a"][1], 2.5); }

TEST(ParseJson, NamesLineAndColumnOfAMistake) {
  EXPECT_EQ(refusal("{\n  \"a\": nul\n}").substr(0, 37), "file: is not JSON, at line 2, column ");
  EXPECT_NE(refusal("").find("file: is not JSON, at line 1, column 1"), std::string::npos);
}

TEST(ParseJson, RefusesBinaryNoiseWithoutEchoingIt) {
  const std::string message = refusal("\xff\x1b[31m\x01");

  EXPECT_TRUE(message.starts_with("file: is not JSON")) << message;
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

TEST(ParseJson, RefusesANumberThatDoesNotFit) {
  EXPECT_TRUE(refusal("[1e400]").starts_with("file: is not JSON: number overflow"));
}

TEST(ParseJson, RefusesAMillionOpenBrackets) {
  EXPECT_EQ(refusal(std::string(1'000'000, '[')), "file: nested more than 64 levels deep");
  std::string objects;
  for (int depth = 0; depth < 100'000; ++depth) {
    objects += "{\"a\":";
  }
  EXPECT_EQ(refusal(objects), "file: nested more than 64 levels deep");
}

TEST(ParseJson, RefusesTooManyValues) {
  EXPECT_EQ(refusal("[1,2,3,4]", {.bytes = 100, .depth = 5, .values = 4}),
            "file: more than 4 values");
}

TEST(ParseJson, RefusesTooManyBytes) {
  EXPECT_EQ(refusal("[1,2,3]", {.bytes = 6, .depth = 5, .values = 9}),
            "file: is larger than 6 bytes");
}

TEST(ParseJson, RefusesAKeyThatOccursTwice) {
  EXPECT_EQ(refusal(R"({"a": 1, "a": 2})"), "file: the key 'a' occurs twice in the top level");
  EXPECT_EQ(refusal(R"({"cases": [1, {"x/y": {"b": 1, "b": 2}}]})"),
            "file: the key 'b' occurs twice in /cases/1/x~1y");
}

TEST(Brief, CutsLongValues) {
  EXPECT_EQ(brief("x"), "\"x\"");
  EXPECT_EQ(brief(std::vector<int>(200, 1)), "an array of 200 entries");
  EXPECT_EQ(brief(std::string(500, 'x')), "\"" + std::string(119, 'x') + "...");
}

TEST(Brief, IsSafeForBrokenText) { EXPECT_EQ(brief("\xff\x1b"), "\"\xef\xbf\xbd\\u001b\""); }

}  // namespace
}  // namespace driver
