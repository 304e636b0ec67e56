// SPDX-License-Identifier: MIT
// aio::Limit: a whole number that limits something.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

namespace aio {

/// A number that can limit something: true is no 1, and 2.5 is no 2.
template <class Number>
concept WholeNumber = std::integral<Number> && !std::same_as<Number, bool>;

/// A whole number that limits something. A bool or a floating-point number does not compile; the
/// sign is for whoever takes the limit to check.
/// Bounds: a larger unsigned number counts as the largest std::int64_t.
class Limit {
 public:
  template <WholeNumber Number>
  constexpr Limit(Number number)  // NOLINT(google-explicit-constructor): `{.workers = 3}`
      : value_(std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number)
                                                   : std::numeric_limits<std::int64_t>::max()) {}
  constexpr operator std::int64_t() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  std::int64_t value_;
};

}  // namespace aio
