// SPDX-License-Identifier: MIT
//
// Only two classes have a parent of their own; all others derive from "Exception" directly.

#include "driver/judge/error_classes.hpp"

#include <algorithm>

namespace driver {

std::vector<std::string_view> error_bases(std::string_view name) {
  if (name == "Exception") {
    return {name};
  }
  if (name == "TransientChild") {
    return {name, "Transient", "Exception"};
  }
  if (name == "TimeoutError") {
    return {name, "OSError", "Exception"};
  }
  return {name, "Exception"};
}

bool is_instance(std::string_view name, const std::vector<std::string>& classes) {
  const std::vector<std::string_view> bases = error_bases(name);
  return std::any_of(classes.begin(), classes.end(), [&](const std::string& listed) {
    return std::find(bases.begin(), bases.end(), listed) != bases.end();
  });
}

}  // namespace driver
