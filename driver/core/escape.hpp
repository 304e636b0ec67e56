// SPDX-License-Identifier: MIT
//
// Foreign bytes made fit for a terminal, a message or a shell line.

#pragma once

#include <string>
#include <string_view>

namespace driver {

/// Gives `bytes` as one line of harmless text: control characters, backslashes aside, become
/// escapes such as \n or \x1b, and bytes that are no UTF-8 become \xff.
/// Bounds: beyond `limit` bytes of input the rest is cut off and marked with "...".
std::string printable(std::string_view bytes, std::size_t limit = 400);

/// Gives `bytes` as text of several lines: as printable(), but newlines and tabs stay.
std::string printable_lines(std::string_view bytes);

/// Gives printable(bytes) between single quotes, for messages.
std::string in_quotes(std::string_view bytes);

/// Gives `word` so that a POSIX shell reads it as that one word.
std::string shell_quoted(std::string_view word);

}  // namespace driver
