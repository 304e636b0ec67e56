// SPDX-License-Identifier: MIT
//
// What the programs `check` and `ol` share: the options of a check, and the last line of defence.

#pragma once

#include "driver/core/check.hpp"
#include "driver/core/errors.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace driver {

/// Adds --lang, whose default is the environment's OL_LANG.
///
/// Lifetime: `code` must outlive the parsing.
void add_language_option(CLI::App& command, std::string& code);

/// Adds the options of a check to a command; they are stored in `options`.
///
/// Lifetime: `options` must outlive the parsing.
void add_check_options(CLI::App& command, CheckOptions& options);

/// Fills in an exercise and a submission that were not given, from the .ol.json of the submission
/// or of the current folder.
/// Errors: BadInput when there is none.
void infer_arguments(CheckOptions& options);

/// Runs a program's work and gives its exit status; a parse error of the command line, BadInput and
/// GraderFault become one line on stderr, and anything else that is thrown a grader fault.
int run_program(CLI::App& app, int argc, const char* const* argv,
                const std::function<ExitCode()>& work);

/// The program `check`: the whole of it, for a kit description at `kit_file`.
int check_program(int argc, const char* const* argv, const std::filesystem::path& kit_file);

}  // namespace driver
