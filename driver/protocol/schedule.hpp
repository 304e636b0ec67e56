// SPDX-License-Identifier: MIT
// The names of schedules: in which order the runner lets wake-ups happen that are ready together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace protocol {

/// How the next step is chosen among those that are ready.
enum class StrategyKind { fifo, lifo, random, pos, pct, late, path, exhaustive };

/// Choices that are not the first: the number of the point of choice, from 0, and the index chosen.
using Path = std::map<std::uint32_t, std::uint32_t>;

/// A schedule by name, which replays exactly.
/// Shape: `fifo`, `lifo`, `random:SEED`, `pos:SEED`, `pct:SEED` or `pct:SEED:DEPTH`, `late:SEED` (a
/// random walk in which time may go on while steps are ready), `path:P=I.Q=J` (at the P-th point
/// where there was a choice the step with the index I, at the Q-th that with J, else the first),
/// `exhaustive` or `exhaustive:LIMIT` (every path, up to LIMIT of them).
/// Source: random walks and PCT as in Burckhardt et al., ASPLOS 2010; POS as in Yuan et al., CAV
/// 2018.
struct Schedule {
  StrategyKind kind = StrategyKind::fifo;
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;
  std::uint64_t limit = 100'000;
  Path path = {};
};

/// The schedule that `name` names, or nothing when it names none.
std::optional<Schedule> parse_schedule(std::string_view name);

/// The name that parse_schedule understands.
std::string to_string(const Schedule& schedule);

/// The forms that parse_schedule accepts, for messages.
inline constexpr std::string_view schedule_forms =
    "fifo, lifo, random:SEED, pos:SEED, pct:SEED[:DEPTH], late:SEED, path:P=I.Q=J or "
    "exhaustive[:LIMIT]";

}  // namespace protocol
