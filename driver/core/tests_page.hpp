// SPDX-License-Identifier: MIT
//
// `ol tests`: the catalogue of an exercise as text, for people who want to know what is checked.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/language.hpp"

#include <string>

namespace driver {

/// Gives every case (name, kind, what it checks, why, rules), in families, then the pitfalls with
/// the cases that catch each, in the language `in`.
std::string tests_page(const Exercise& original, const Language& in = {});

/// Gives text in lines of at most `width` columns, each after `indent`; words are never split.
std::string wrapped(const std::string& text, const std::string& indent, std::size_t width = 96);

}  // namespace driver
