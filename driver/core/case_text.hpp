// SPDX-License-Identifier: MIT
//
// One failed case in words: rules, expected and actual, a small timeline, what it printed.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/language.hpp"
#include "driver/core/report.hpp"

#include <string>
#include <string_view>

namespace driver {

/// Colours, or none.
class Paint {
 public:
  explicit Paint(bool colour) : colour_(colour) {}

  std::string good(std::string_view text) const { return painted("32", text); }
  std::string bad(std::string_view text) const { return painted("31", text); }
  std::string strong(std::string_view text) const { return painted("1", text); }
  std::string faint(std::string_view text) const { return painted("2", text); }

 private:
  std::string painted(std::string_view code, std::string_view text) const;

  bool colour_;
};

/// Gives a virtual time as text: "1.500 s", with as many decimals as it has.
std::string time_text(std::int64_t nanoseconds);

/// Gives the failed case in words, with what `exercise` says of its case and its rules.
std::string case_text(const Exercise& exercise, const CheckRecord& record,
                      const CheckedCase& checked, const Paint& paint, const Language& in);

}  // namespace driver
