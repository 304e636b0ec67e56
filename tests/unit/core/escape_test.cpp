// SPDX-License-Identifier: MIT
//
// What foreign bytes look like on a terminal.

#include "driver/core/escape.hpp"

#include "driver/core/utf8.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

TEST(Printable, KeepsTextOfAnyLanguage) { EXPECT_EQ(printable("größe 数 é"), "größe 数 é"); }

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mb\r\n\t\x07"), "a\\x1b[31mb\\r\\n\\t\\x07");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m");
}

TEST(Printable, EscapesMarksThatTurnTheDirectionOfWriting) {
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "cod"),
            "\\xe2\\x80\\xaecod");
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\xe2\\x81\\xa6");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(Printable, CutsLongTextAtACharacter) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("aaé", 3), "aa...");
}

TEST(PrintableLines, KeepsNewlinesAndTabs) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b"), "a\n\tb\\x1b");
}

TEST(ShellQuoted, LeavesPlainWordsAlone) { EXPECT_EQ(shell_quoted("random:17"), "random:17"); }

TEST(ShellQuoted, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's $HOME"), "'it'\\''s $HOME'");
}

TEST(Utf8Length, FollowsTheTableOfWellFormedSequences) {
  EXPECT_EQ(utf8_length("a"), 1U);
  EXPECT_EQ(utf8_length("\xc3\xa9"), 2U);
  EXPECT_EQ(utf8_length("\xe2\x82\xac"), 3U);
  EXPECT_EQ(utf8_length("\xf0\x9f\x98\x80"), 4U);
  EXPECT_EQ(utf8_length(""), 0U);
  EXPECT_EQ(utf8_length("\xc0\x80"), 0U);
  EXPECT_EQ(utf8_length("\xe0\x80\x80"), 0U);
  EXPECT_EQ(utf8_length("\xf4\x90\x80\x80"), 0U);
  EXPECT_EQ(utf8_length("\xf0\x9f\x98"), 0U);
}

}  // namespace
}  // namespace driver
