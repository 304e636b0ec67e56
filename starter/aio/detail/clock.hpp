// SPDX-License-Identifier: MIT
// From `duration<double>` to points of the steady clock without overflow.
#pragma once

#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

namespace aio::detail {

// `delay` from now, rounded up to the clock's tick, so that nothing is ever early.
// Errors: nothing when `delay` is infinite or beyond the clock's range: that moment never comes.
// NaN throws std::invalid_argument.
inline std::optional<std::chrono::steady_clock::time_point> after(
    std::chrono::duration<double> delay) {
  using Clock = std::chrono::steady_clock;
  if (std::isnan(delay.count())) throw std::invalid_argument("a delay must not be NaN");
  const Clock::time_point now = Clock::now();
  if (delay.count() <= 0) return now;
  const double ticks = std::ceil(delay.count() * (static_cast<double>(Clock::period::den) /
                                                  static_cast<double>(Clock::period::num)) -
                                 1e-3);
  const Clock::duration room = Clock::time_point::max() - now;
  if (!(ticks < static_cast<double>(room.count()))) return std::nullopt;
  return now + Clock::duration(static_cast<Clock::rep>(ticks));
}

}  // namespace aio::detail
