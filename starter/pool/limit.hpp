// SPDX-License-Identifier: MIT
// Given: a number that limits something. Leave this file as it is; the check uses its own copy.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

/// A whole number that limits something. A bool does not compile; the sign is for the pool to
/// check. Bounds: a larger unsigned number counts as the largest std::int64_t.
class Limit {
 public:
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  constexpr Limit(Number number)  // NOLINT(google-explicit-constructor): `{.workers = 3}`
      : value_(std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number)
                                                   : std::numeric_limits<std::int64_t>::max()) {}
  constexpr operator std::int64_t() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  std::int64_t value_;
};
