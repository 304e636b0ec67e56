// SPDX-License-Identifier: MIT
//
// Which exercises a person has passed: `ol check` notes a pass with the digest of what was checked,
// `ol status` shows whether it still holds.

#pragma once

#include "driver/core/kit.hpp"

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

namespace driver {

/// One pass.
struct Pass {
  std::string exercise;
  std::filesystem::path folder;
  std::string submission;  ///< the digest of what was handed in
  std::string kit;         ///< the digest of what it was checked with
};

/// Gives the file that passes are noted in: ol/passes.json in $XDG_STATE_HOME, else in
/// ~/.local/state; none when the environment names neither.
std::optional<std::filesystem::path> passes_file();

/// Notes a pass, in the place of an earlier one of the exercise.
/// Errors: BadInput when the file is not one of ours, which is left as it is, or cannot be written.
void note_pass(const std::filesystem::path& file, const Pass& pass);

/// Prints each exercise with its pass (fresh: what was handed in has not changed since), and each
/// milestone with what it needs.
/// Errors: BadInput for a file that is not one of ours.
void print_status(const std::optional<std::filesystem::path>& file, const Kit& kit,
                  std::ostream& out);

}  // namespace driver
