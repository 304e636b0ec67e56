// SPDX-License-Identifier: MIT
//
// An exercise may change a few rules of an earlier one. Who hands in the earlier solution is told
// that, instead of being left with everything that follows from it.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/kit.hpp"
#include "driver/core/report.hpp"

#include <optional>
#include <string>

namespace driver {

/// Says that a submission looks like a solution of the exercise's predecessor, and which rules are
/// different; none when it does not, or when there is no predecessor.
///
/// Shape: it does when it breaks every rule that is different, or when it compiles only as a
/// solution of the predecessor, which is tried.
/// Errors: GraderFault, as load_exercise() and build_submission().
std::optional<std::string> predecessor_hint(const Exercise& exercise, const Kit& kit,
                                            const CheckRecord& record);

}  // namespace driver
