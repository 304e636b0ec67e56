// SPDX-License-Identifier: MIT
//
// The binary frame in which a runner reports what it observed: 16 bytes of header, then a JSON
// payload. Shared by the driver (which trusts no frame) and the runner; knows no Asio.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace protocol {

/// What stands before each payload, as three little-endian numbers in this order.
struct FrameHeader {
  std::uint32_t length;    ///< Bytes of payload that follow.
  std::uint32_t sequence;  ///< Number of the frame in its report, from 0.
  std::uint64_t token;     ///< The secret of the case; only the runner's own code knows it.
};

inline constexpr std::size_t header_bytes = 16;

/// Longest payload that a reader accepts.
inline constexpr std::uint32_t max_frame_bytes = 1U << 20U;

/// The bytes of a header, made without taking memory.
using HeaderBytes = std::array<char, header_bytes>;
HeaderBytes encode_header(const FrameHeader& header) noexcept;

/// Gives the bytes of one frame.
/// Errors: std::length_error "frame payload is too long" above max_frame_bytes.
std::string encode_frame(std::uint32_t sequence, std::uint64_t token, std::string_view payload);

/// Gives the header that the first header_bytes bytes of `bytes` hold; none when there are fewer.
std::optional<FrameHeader> decode_header(std::string_view bytes);

/// Gives a token as 16 hexadecimal digits, the form in which it travels in JSON.
std::string token_text(std::uint64_t token);

/// Gives the token that token_text wrote; none for anything else.
std::optional<std::uint64_t> parse_token(std::string_view text);

}  // namespace protocol
