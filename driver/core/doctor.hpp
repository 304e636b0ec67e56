// SPDX-License-Identifier: MIT
//
// `ol doctor`: is this machine fit to build and check submissions, and if not, what to do.

#pragma once

#include "driver/core/errors.hpp"

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace driver {

/// How a finding is meant.
enum class Health { good, warning, bad };

/// One fact about the machine.
///
/// Shape: `remedy` is a command or a sentence, "" when nothing is to be done.
struct Finding {
  Health health = Health::good;
  std::string what;
  std::string remedy;
};

/// Gives the major version in the first line of a compiler's --version, or 0.
int major_version(const std::string& version_line);

/// Gives what a compiler's version means here: clang below 16 is too old, g++ 12 miscompiles
/// coroutines and builds no submissions.
Finding compiler_finding(const std::string& name, const std::string& version_line);

/// Looks at compilers, Boost, the kernel, free space and the kit.
std::vector<Finding> examine(const std::filesystem::path& kit_file);

/// Prints the findings; ExitCode::fail when one of them is bad.
ExitCode run_doctor(const std::filesystem::path& kit_file, std::ostream& out);

}  // namespace driver
