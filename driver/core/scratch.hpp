// SPDX-License-Identifier: MIT
//
// A folder of our own to build in, gone when its owner goes.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"
#include "driver/core/submission.hpp"

#include <filesystem>
#include <string>

namespace driver {

/// A temporary folder, readable by its owner alone.
///
/// Lifetime: the destructor removes it with all that is in it.
class Scratch {
 public:
  /// Errors: GraderFault when the folder cannot be made.
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  /// From here on SIGINT, SIGTERM and SIGHUP remove all scratch folders before they end the
  /// program.
  static void remove_on_signals();

  const std::filesystem::path& folder() const { return folder_; }

  /// Puts in the files of the submission, and the given files of the exercise from the kit.
  /// Errors: GraderFault when the kit lacks a given file.
  void fill(const Submission& submission, const Exercise& exercise, const Kit& kit) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace driver
