// SPDX-License-Identifier: MIT
//
// The outcome of a check as a person reads it in a terminal.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/language.hpp"
#include "driver/core/report.hpp"

#include <cstddef>
#include <string>

namespace driver {

/// How the text is written.
///
/// Shape: at most `most_details` failed cases are shown with all they have; the first case of each
/// broken rule comes before a second one of any.
struct TextOptions {
  bool colour = false;
  std::size_t most_details = 8;
  Language language = {};
};

/// Gives the report as text: a line for each case, details of failures, the summary by rule, and
/// the next thing to do.
std::string text_report(const Exercise& exercise, const CheckRecord& record,
                        const TextOptions& options = {});

/// Whether text for the file descriptor `fd` is coloured: a terminal, and NO_COLOR is not set.
bool wants_colour(int fd);

}  // namespace driver
