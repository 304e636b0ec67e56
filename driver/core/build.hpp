// SPDX-License-Identifier: MIT
//
// Compiles the translation units that include the submission, side by side, and links them with the
// runner's libraries, all of which were built before.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace driver {

/// How a build ended.
///
/// Shape: `program` is the runner when `is_ok`; `output` is what compiler and linker said, with
/// the scratch folder as "<submission>" and the project's as "<kit>". `failed_parts` has, by name,
/// what the compiler said about the parts of the runner that had to be left out. `foreign_includes`
/// has a sentence for each include that the exercise does not allow.
struct BuildResult {
  bool is_ok = false;
  std::filesystem::path program;
  std::string output;
  std::map<std::string, std::string> failed_parts = {};
  std::vector<std::string> foreign_includes = {};
  bool is_sanitized = false;
};

/// How to build.
struct BuildOptions {
  std::string variant = "plain";
  std::chrono::milliseconds time_limit = std::chrono::seconds(120);
};

/// Builds the runner of `exercise` in the folder `scratch`, which holds the submission.
///
/// Bounds: 4 GiB of memory for each step when no sanitizer is in the variant.
/// Errors: GraderFault when the kit is incomplete or the compiler cannot be started. A submission
/// that does not compile is a result, not an error.
BuildResult build_submission(const Exercise& exercise, const Kit& kit,
                             const std::filesystem::path& scratch,
                             const BuildOptions& options = {});

/// Gives `text` with every `path` in it replaced by `name`.
std::string with_short_paths(std::string text, const std::string& path, const std::string& name);

}  // namespace driver
