// SPDX-License-Identifier: MIT
//
// Cases that nobody has seen: those of the catalogue with all times longer or shorter by one
// factor, drawn anew for every submission, so that results made up for known cases are of no use.

#pragma once

#include "driver/core/catalogue.hpp"

#include <cstdint>
#include <string>

namespace driver {

/// Gives the seed for a submission: a number from its digest, so that the same submission gives the
/// same report, and every change of it other cases.
std::uint64_t seed_of(const std::string& submission_digest);

/// Adds the unseen cases that exercise.json asks for (`unseen`), each with the golden of the case
/// that it comes from, its times changed alike.
///
/// Shape: of cases without ties only, so that no order depends on rounding; `data` has the key
/// `unseen_of`, the name of the original.
void add_unseen_cases(Exercise& exercise, std::uint64_t seed);

/// Whether the case was drawn by add_unseen_cases().
bool is_unseen(const Case& test_case);

}  // namespace driver
