// SPDX-License-Identifier: MIT
//
// Escaping, with a strict reading of UTF-8: no overlong forms, surrogates or values past U+10FFFF.

#include "driver/core/escape.hpp"

#include "driver/core/utf8.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace driver {
namespace {

std::string hex_escape(unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("\\x") + digits[byte >> 4U] + digits[byte & 15U];
}

std::string escaped_byte(unsigned char byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return hex_escape(byte);
  }
}

/// Whether a terminal obeys the character rather than shows it: C0, DEL, C1, and the marks that
/// turn the direction of writing.
bool is_control(std::string_view character) {
  const auto byte = static_cast<unsigned char>(character.front());
  if (character.size() == 1) {
    return byte < 0x20 || byte == 0x7f;
  }
  const auto second = static_cast<unsigned char>(character[1]);
  if (character.size() == 2) {
    return byte == 0xc2 && second < 0xa0;
  }
  const auto third = static_cast<unsigned char>(character[2]);
  const bool general = byte == 0xe2 && second == 0x80;
  return (general && (third == 0x8e || third == 0x8f || (third >= 0xa8 && third <= 0xae))) ||
         (byte == 0xe2 && second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

std::string escape(std::string_view bytes, std::string_view kept) {
  std::string result;
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);
    const std::string_view character = bytes.substr(0, std::max<std::size_t>(length, 1));
    if (length > 0 && (!is_control(character) || kept.find(character) != std::string_view::npos)) {
      result += character;
    } else {
      for (const char byte : character) {
        result += escaped_byte(static_cast<unsigned char>(byte));
      }
    }
    bytes.remove_prefix(character.size());
  }
  return result;
}

bool is_plain(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
         std::string_view("_-./:=,+@%").find(letter) != std::string_view::npos;
}

}  // namespace

std::string printable(std::string_view bytes, std::size_t limit) {
  if (bytes.size() <= limit) {
    return escape(bytes, "");
  }
  while (limit > 0 && (static_cast<unsigned char>(bytes[limit]) & 0xc0U) == 0x80U) {
    --limit;
  }
  return escape(bytes.substr(0, limit), "") + "...";
}

std::string printable_lines(std::string_view bytes) { return escape(bytes, "\n\t"); }

std::string in_quotes(std::string_view bytes) { return "'" + printable(bytes) + "'"; }

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) {
    return std::string(word);
  }
  std::string result = "'";
  for (const char letter : word) {
    result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return result + "'";
}

}  // namespace driver
