// SPDX-License-Identifier: MIT
//
// What a source file includes, for exercises that allow only some libraries.

#pragma once

#include "driver/core/catalogue.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace driver {

/// One #include line.
/// Shape: `name` is what stands between the quotes or brackets; if neither is there, the words of
/// the line, and `is_macro`. Units: lines from 1.
struct Include {
  std::string name;
  std::size_t line = 0;
  bool is_macro = false;
};

/// Gives the includes of C++ source, without those in comments and literals.
/// Bounds: conditions (#if) are not looked at: what is included under one counts.
std::vector<Include> includes_of(const std::string& source);

/// Gives a sentence for each include that the exercise does not allow: it allows the standard
/// library, the system's own headers, and what its `includes` name (a file, or a folder that ends
/// with "/"). Without `includes` it allows everything. `folder` holds what was handed in.
/// Errors: BadInput for a file that cannot be read.
std::vector<std::string> foreign_includes(const Exercise& exercise,
                                          const std::filesystem::path& folder);

}  // namespace driver
