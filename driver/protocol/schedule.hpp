// SPDX-License-Identifier: MIT
// The names of schedules: in which order the runner lets wake-ups happen that are ready together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace protocol {

/// How the next step is chosen among those that are ready.
enum class StrategyKind { fifo, lifo, random, pos, pct, path, exhaustive };

/// A schedule by name, which replays exactly.
/// Shape: `fifo`, `lifo`, `random:SEED`, `pos:SEED`, `pct:SEED` or `pct:SEED:DEPTH`,
/// `path:I.J.K` (the index chosen at each point where there was a choice, then 0),
/// `exhaustive` or `exhaustive:LIMIT` (every path, up to LIMIT of them).
/// Source: random walks and PCT as in Burckhardt et al., ASPLOS 2010; POS as in Yuan et al., CAV
/// 2018.
struct Schedule {
  StrategyKind kind = StrategyKind::fifo;
  std::uint64_t seed = 0;
  std::uint32_t depth = 3;
  std::uint64_t limit = 100'000;
  std::vector<std::uint32_t> path;
};

/// The schedule that `name` names, or nothing when it names none.
std::optional<Schedule> parse_schedule(std::string_view name);

/// The name that parse_schedule understands.
std::string to_string(const Schedule& schedule);

/// The forms that parse_schedule accepts, for messages.
inline constexpr std::string_view schedule_forms =
    "fifo, lifo, random:SEED, pos:SEED, pct:SEED[:DEPTH], path:I.J.K or exhaustive[:LIMIT]";

}  // namespace protocol
