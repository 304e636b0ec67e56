// SPDX-License-Identifier: MIT
//
// What is kept of an output that is too long, or that is no text.

#include "driver/core/capture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace driver {
namespace {

TEST(Capture, KeepsAllOfAShortOutput) {
  Capture capture(10);
  capture.add("01234");
  capture.add("56789");

  EXPECT_EQ(capture.text(), "0123456789");
  EXPECT_EQ(capture.total(), 10U);
}

TEST(Capture, MarksTheCut) {
  Capture capture(10);
  for (const char* part : {"abc", "def", "ghijklmnop", "q"}) {
    capture.add(part);
  }

  EXPECT_EQ(capture.text(), "abcde\n[... 7 bytes cut ...]\nmnopq");
}

TEST(Capture, KeepsTheSameWhateverThePieces) {
  const std::string all(1000, 'x');
  Capture whole(64);
  Capture single(64);
  whole.add(all + "end");
  for (const char letter : all + "end") {
    single.add({&letter, 1});
  }

  EXPECT_EQ(whole.text(), single.text());
}

TEST(Capture, CutsBetweenCodePoints) {
  Capture capture(10);
  capture.add(
      "abcd\xC3\xA9"
      "0123456789"
      "\xC3\xA9wxyz");

  EXPECT_EQ(capture.text(), "abcd\n[... 14 bytes cut ...]\nwxyz");
}

TEST(Capture, ReplacesWhatIsNoText) {
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b\xC3(\xE2\x82"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
}

}  // namespace
}  // namespace driver
