// SPDX-License-Identifier: MIT
//
// The three ways a check does not end in a verdict on the submission, and the exit codes. They are
// kept apart: who must act differs (the user, the student, the course staff).

#pragma once

#include <stdexcept>

namespace driver {

/// How a program of ours ends.
enum class ExitCode { pass = 0, fail = 1, bad_input = 2, not_built = 3, grader_fault = 4 };

/// What the user gave cannot be used: a wrong argument, folder or file. The message is one clear
/// line, fit to be shown as it is.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The kit itself is broken: its catalogue, its build, or the machine under it.
struct GraderFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace driver
