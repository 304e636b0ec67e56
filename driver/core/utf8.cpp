// SPDX-License-Identifier: MIT
//
// The table of well-formed byte sequences, RFC 3629 section 4.

#include "driver/core/utf8.hpp"

namespace driver {
namespace {

unsigned at(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

/// Whether the second byte fits the first one, where RFC 3629 narrows its range.
bool is_second(unsigned lead, unsigned second) {
  switch (lead) {
    case 0xe0:
      return second >= 0xa0 && second <= 0xbf;
    case 0xed:
      return second >= 0x80 && second <= 0x9f;
    case 0xf0:
      return second >= 0x90 && second <= 0xbf;
    case 0xf4:
      return second >= 0x80 && second <= 0x8f;
    default:
      return second >= 0x80 && second <= 0xbf;
  }
}

std::size_t length_from_lead(unsigned lead) {
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xc2 && lead <= 0xdf) {
    return 2;
  }
  if (lead >= 0xe0 && lead <= 0xef) {
    return 3;
  }
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

}  // namespace

std::size_t utf8_length(std::string_view bytes) {
  if (bytes.empty()) {
    return 0;
  }
  const std::size_t length = length_from_lead(at(bytes, 0));
  if (length > bytes.size() || (length > 1 && !is_second(at(bytes, 0), at(bytes, 1)))) {
    return 0;
  }
  for (std::size_t index = 2; index < length; ++index) {
    if ((at(bytes, index) & 0xc0U) != 0x80U) {
      return 0;
    }
  }
  return length;
}

}  // namespace driver
