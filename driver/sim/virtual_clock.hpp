// SPDX-License-Identifier: MIT
// Virtual time. The runner's executable defines the system calls that Asio asks for the time and
// for readiness, so that every steady_timer, whoever made it, runs on this clock.
#pragma once

#include <cstdint>
#include <optional>

namespace sim::clock {

/// Makes the clock virtual from now on, at time zero, and forgets all earlier timers.
/// Lifetime: call it before the event loop is made whose timers are to be virtual.
void start();

/// Gives the process its real clock back.
void stop();

bool is_virtual();

/// Virtual time for as long as this object lives.
class Scope {
 public:
  Scope() { start(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { stop(); }
};

/// Units: virtual nanoseconds since start().
std::int64_t now_ns();

/// Moves the time on and makes the event loop look at its timers when it is polled next.
void advance_to(std::int64_t time_ns);

/// When the event loop wants to be woken next, or nothing when it has never had a timer.
/// Bounds: Asio asks for no more than five minutes and for whole microseconds, rounded down; a
/// wake-up may find nothing to do.
std::optional<std::int64_t> next_alarm_ns();

/// Whether the event loop has ever watched a socket.
bool has_sockets();

}  // namespace sim::clock
