// SPDX-License-Identifier: MIT
//
// Reading of a file that must lie in a folder, whatever links are on the way to it.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace driver {

/// Reads `folder`/`name`. Links are followed only when they stay inside `folder`, which must be a
/// canonical path; no link is followed between the check and the reading.
///
/// Errors: BadInput with `name` in front: as read_file(); "is a symbolic link that leaves the
/// folder".
std::string read_contained(const std::filesystem::path& folder, const std::string& name,
                           std::size_t limit);

/// Errors: BadInput when `text` is no text: empty, NUL or other control bytes, UTF-16, noise. The
/// message has `name` in front and names the first bad byte.
void require_text(const std::string& name, const std::string& text);

/// Gives a warning when `text` has bytes that are no UTF-8, or "".
std::string encoding_warning(const std::string& name, const std::string& text);

}  // namespace driver
