// SPDX-License-Identifier: MIT
//
// What a student handed in: looked at before anything is built, and read without following links
// out of its folder.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace driver {

/// One handed-in file.
struct SubmittedFile {
  std::string name;
  std::string text;
  std::string digest;
};

/// A submission that can be built.
///
/// Shape: `files` are those that the exercise asks for, in its order; `warnings` are one line each.
struct Submission {
  std::filesystem::path folder;
  std::vector<SubmittedFile> files;
  std::string digest;
  std::vector<std::string> warnings;
};

/// Largest file that is accepted.
inline constexpr std::size_t largest_submitted_file = 1U << 20U;

/// Reads the submission in `folder`.
///
/// Shape: a given file that differs from the kit's, or a source file that is not handed in, is a
/// warning.
/// Errors: BadInput for a folder or file that cannot be used: missing (with what was looked for
/// and what is there), a link out of the folder, a device, empty, too large, not text.
Submission inspect_submission(const std::filesystem::path& folder, const Exercise& exercise,
                              const Kit& kit);

}  // namespace driver
