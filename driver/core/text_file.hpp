// SPDX-License-Identifier: MIT
//
// Bounded reading and careful writing of files that other people may have prepared.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace driver {

/// Whether the last part of a path may be a symbolic link.
enum class Links { follow, refuse };

/// Reads a regular file whole.
///
/// Bounds: never reads more than `limit` bytes, never waits for a device or a FIFO.
/// Errors: BadInput, with `shown` (or the path) in front: "no such file", "is a folder, not a
/// file", "is not a regular file", "is a symbolic link", "is larger than N bytes".
std::string read_file(const std::filesystem::path& path, std::size_t limit,
                      Links links = Links::follow, const std::string& shown = {});

/// Writes a file that must not exist yet.
/// Errors: BadInput with the path and the system's reason.
void write_new_file(const std::filesystem::path& path, std::string_view text);

/// Replaces a file in one step: a reader sees the old text or the new one, never a part.
/// Errors: BadInput with the path and the system's reason.
void replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace driver
