// SPDX-License-Identifier: MIT
//
// `ol serve`: the server of an exercise's cases, to try a program on.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace driver {

/// Becomes the program `serve` with a script of the form of "server" in the exercise's cases;
/// without one, with catalog/<slug>/server.json. Returns only by an exception.
/// Errors: BadInput when the exercise has no server or the script is unusable; GraderFault when the
/// program cannot be started.
[[noreturn]] void run_serve(const Exercise& exercise, const Kit& kit, std::uint16_t port,
                            const std::optional<std::filesystem::path>& script);

/// Gives what is wrong with a script, as "FILE: at POINTER: ..."; "" when nothing is.
/// Errors: BadInput for a file that is no JSON.
std::string script_error(const Exercise& exercise, const std::filesystem::path& script);

}  // namespace driver
