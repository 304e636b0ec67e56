// SPDX-License-Identifier: MIT
//
// What compilers and runners of submissions may see and use: the command lines of the program
// `confine` (driver/confine_main.cpp).

#pragma once

#include "driver/core/kit.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace driver {

/// Gives the command line that runs a compiler or linker for a submission in the folder `scratch`.
///
/// Bounds: it reads the system's files, the kit's and those in `scratch`, and writes there; 4 GiB
/// of memory unless `is_sanitized`, files of 1 GiB. Without a confine program in the kit:
/// `arguments`.
std::vector<std::string> confined_compiler(const Kit& kit, const std::filesystem::path& scratch,
                                           const std::vector<std::string>& arguments,
                                           bool is_sanitized);

/// Gives the command line that runs the runner `program`: it reads the system's files and itself,
/// writes nothing, and sees no process but its own.
std::vector<std::string> confined_runner(const Kit& kit, const std::filesystem::path& program);

}  // namespace driver
