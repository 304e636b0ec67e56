// SPDX-License-Identifier: MIT
//
// The classes of exceptions that cases may name, and which of them derives from which.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// Gives the class and everything it derives from, itself first and "Exception" last.
/// A class that no case can name derives from "Exception" alone.
std::vector<std::string_view> error_bases(std::string_view name);

/// Whether an exception of class `name` is an instance of one of `classes`.
bool is_instance(std::string_view name, const std::vector<std::string>& classes);

}  // namespace driver
