// SPDX-License-Identifier: MIT
//
// Frames as bytes, and a reader that is fed those bytes in pieces.

#include "driver/protocol/frame.hpp"

#include "driver/core/frame_reader.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace driver {
namespace {

TEST(Frame, HeaderIsLittleEndian) {
  const std::string frame = protocol::encode_frame(0x01020304U, 0x1122334455667788U, "{}");

  EXPECT_EQ(frame, std::string("\x02\0\0\0\x04\x03\x02\x01\x88\x77\x66\x55\x44\x33\x22\x11{}", 18));
}

TEST(Frame, DecodesWhatWasEncoded) {
  const auto header =
      protocol::decode_header(protocol::encode_frame(7, 0xF0F1F2F3F4F5F6F7U, "abc"));

  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(header->length, 3U);
  EXPECT_EQ(header->sequence, 7U);
  EXPECT_EQ(header->token, 0xF0F1F2F3F4F5F6F7U);
}

TEST(Frame, HasNoHeaderInTooFewBytes) {
  EXPECT_FALSE(protocol::decode_header(std::string(15, '\0')).has_value());
}

TEST(Frame, RefusesAPayloadThatIsTooLong) {
  EXPECT_THROW(protocol::encode_frame(0, 0, std::string(protocol::max_frame_bytes + 1, ' ')),
               std::length_error);
}

TEST(Frame, TokenSurvivesItsText) {
  EXPECT_EQ(protocol::token_text(0xABCU), "0000000000000abc");
  EXPECT_EQ(protocol::parse_token("0000000000000abc"), 0xABCU);
  EXPECT_EQ(protocol::parse_token("abc"), std::nullopt);
  EXPECT_EQ(protocol::parse_token("000000000000000g"), std::nullopt);
}

std::string small_report() {
  std::string bytes;
  std::uint32_t sequence = 0;
  for (const char* payload :
       {R"({"r":"begin","run":0,"schedule":"fifo"})", R"({"r":"ev","t":3,"ev":"pull","k":1})",
        R"({"r":"report","report":{},"observed":{}})", R"({"r":"end","run":0,"events":1})",
        R"({"r":"bye","runs":1})"}) {
    bytes += protocol::encode_frame(sequence++, 9, payload);
  }
  return bytes;
}

TEST(FrameReader, TakesBytesInPiecesOfAnySize) {
  FrameReader reader(9, {"fifo"});
  for (const char byte : small_report()) {
    reader.feed({&byte, 1});
  }
  reader.close();

  EXPECT_EQ(reader.error(), std::nullopt);
  EXPECT_TRUE(reader.is_finished());
  EXPECT_EQ(reader.runs().at(0).events.at(0).name, "pull");
}

TEST(FrameReader, RefusesWhatComesAfterTheEnd) {
  FrameReader reader(9, {"fifo"});
  reader.feed(small_report() + protocol::encode_frame(5, 9, "{}"));

  EXPECT_EQ(reader.error().value_or(""), "frame 5: more data after the last frame");
  EXPECT_FALSE(reader.is_finished());
}

TEST(FrameReader, SurvivesEveryFlippedBit) {
  const std::string good = small_report();
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    FrameReader reader(9, {"fifo"});
    reader.feed(bad);
    reader.close();

    EXPECT_LE(reader.runs().size(), 1U);
  }
}

TEST(FrameReader, RefusesATimeThatCannotBeAddedTo) {
  FrameReader reader(9, {"fifo"});
  reader.feed(protocol::encode_frame(0, 9, R"({"r":"begin","run":0,"schedule":"fifo"})"));
  reader.feed(protocol::encode_frame(1, 9, R"({"r":"ev","t":18446744073709551615,"ev":"pull"})"));

  EXPECT_EQ(reader.error().value_or(""), "frame 1: an event without time or name");
}

/// Feeds a reader of these schedules with records in order.
FrameReader read(const std::vector<std::string>& schedules,
                 const std::vector<std::string>& records) {
  FrameReader reader(9, schedules);
  std::uint32_t sequence = 0;
  for (const std::string& record : records) {
    reader.feed(protocol::encode_frame(sequence++, 9, record));
  }
  return reader;
}

const std::string begin_path = R"({"r":"begin","run":0,"schedule":"path:"})";
const std::string begin_second_path = R"({"r":"begin","run":1,"schedule":"path:0=1"})";
const std::string report = R"({"r":"report","report":{},"observed":{}})";

TEST(FrameReader, TakesAsManyPathsAsASearchFinds) {
  FrameReader reader =
      read({"exhaustive:9", "fifo"},
           {begin_path, report, R"({"r":"end","run":0,"events":0})", begin_second_path,
            R"({"r":"same","as":0})", R"({"r":"explored","all":1})",
            R"({"r":"begin","run":2,"schedule":"fifo"})", R"({"r":"same","as":0})",
            R"({"r":"bye","runs":3})"});

  EXPECT_EQ(reader.error(), std::nullopt);
  EXPECT_TRUE(reader.is_finished());
  EXPECT_EQ(reader.saw_all(), true);
  EXPECT_EQ(reader.runs().at(1).schedule, "path:0=1");
}

TEST(FrameReader, RefusesASearchWithoutEnd) {
  EXPECT_EQ(read({"exhaustive:9"}, {begin_path, report, R"({"r":"end","run":0,"events":0})",
                                    R"({"r":"bye","runs":1})"})
                .error()
                .value_or(""),
            "frame 3: bye before the last run was complete");
  EXPECT_FALSE(read({"fifo"}, {R"({"r":"explored","all":1})"}).error().value_or("").empty());
}

TEST(FrameReader, EndsWithTheRunThatCannotGoOn) {
  const std::string begin = R"({"r":"begin","run":0,"schedule":"fifo"})";
  const std::string fatal = R"({"r":"fatal","kind":"deadlock","detail":{}})";
  const std::string end = R"({"r":"end","run":0,"events":0})";

  EXPECT_TRUE(read({"fifo", "lifo"}, {begin, fatal, end, R"({"r":"bye","runs":1})"}).is_finished());
  EXPECT_FALSE(
      read({"fifo", "lifo"}, {begin, fatal, end, R"({"r":"begin","run":1,"schedule":"lifo"})"})
          .error()
          .value_or("")
          .empty());
  EXPECT_FALSE(
      read({"fifo", "lifo"}, {begin, report, end, R"({"r":"bye","runs":1})"}).is_finished());
}

TEST(FrameReader, TakesChoicesAndRunsThatDiffer) {
  FrameReader reader =
      read({"random:1"}, {R"({"r":"begin","run":0,"schedule":"random:1"})",
                          R"({"r":"choice","place":4,"index":2})", report,
                          R"({"r":"end","run":0,"events":0})", R"({"r":"differs"})"});

  EXPECT_EQ(reader.error(), std::nullopt);
  EXPECT_EQ(reader.runs().at(0).choices, (protocol::Path{{4, 2}}));
  EXPECT_FALSE(reader.runs().at(0).is_repeatable);
}

TEST(FrameReader, RefusesChoicesOfAWrongForm) {
  for (const char* choice :
       {R"({"r":"choice","place":4})", R"({"r":"choice","place":-1,"index":2})",
        R"({"r":"choice","place":4294967296,"index":2})", R"({"r":"differs"})"}) {
    EXPECT_TRUE(
        read({"random:1"}, {R"({"r":"begin","run":0,"schedule":"random:1"})", choice}).error())
        << choice;
  }
}

}  // namespace
}  // namespace driver
