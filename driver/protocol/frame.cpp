// SPDX-License-Identifier: MIT
//
// Byte order is written out by hand, so that a report means the same on every machine.

#include "driver/protocol/frame.hpp"

#include <charconv>
#include <stdexcept>

namespace protocol {
namespace {

template <typename Number>
void put_number(HeaderBytes& bytes, std::size_t at, Number number) {
  for (std::size_t index = 0; index < sizeof number; ++index) {
    bytes[at + index] = static_cast<char>((number >> (8 * index)) & 0xFFU);
  }
}

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number = 0;
  for (std::size_t index = 0; index < sizeof number; ++index) {
    const auto byte = static_cast<unsigned char>(bytes[at + index]);
    number |= static_cast<Number>(byte) << (8 * index);
  }
  return number;
}

}  // namespace

HeaderBytes encode_header(const FrameHeader& header) noexcept {
  HeaderBytes bytes{};
  put_number(bytes, 0, header.length);
  put_number(bytes, 4, header.sequence);
  put_number(bytes, 8, header.token);
  return bytes;
}

std::string encode_frame(std::uint32_t sequence, std::uint64_t token, std::string_view payload) {
  if (payload.size() > max_frame_bytes) {
    throw std::length_error("frame payload is too long");
  }
  const HeaderBytes header = encode_header(
      {.length = static_cast<std::uint32_t>(payload.size()), .sequence = sequence, .token = token});
  std::string frame(header.data(), header.size());
  return frame.append(payload);
}

std::optional<FrameHeader> decode_header(std::string_view bytes) {
  if (bytes.size() < header_bytes) {
    return std::nullopt;
  }
  return FrameHeader{.length = number_at<std::uint32_t>(bytes, 0),
                     .sequence = number_at<std::uint32_t>(bytes, 4),
                     .token = number_at<std::uint64_t>(bytes, 8)};
}

std::string token_text(std::uint64_t token) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text.push_back(
        digits[static_cast<std::size_t>((token >> static_cast<unsigned>(shift)) & 0xFU)]);
  }
  return text;
}

std::optional<std::uint64_t> parse_token(std::string_view text) {
  std::uint64_t token = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), token, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return token;
}

}  // namespace protocol
