// SPDX-License-Identifier: MIT
//
// A strict reading of UTF-8, one character at a time.

#pragma once

#include <cstddef>
#include <string_view>

namespace driver {

/// Gives the length in bytes of the character that `bytes` begins with, or 0 when they do not begin
/// with valid UTF-8 (overlong forms, surrogates and values past U+10FFFF are not valid).
/// Bounds: `bytes` may be of any length; of an empty view the answer is 0.
std::size_t utf8_length(std::string_view bytes);

}  // namespace driver
