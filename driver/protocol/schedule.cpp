// SPDX-License-Identifier: MIT
#include "driver/protocol/schedule.hpp"

#include <charconv>
#include <vector>

namespace protocol {
namespace {

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<StrategyKind> kind_named(std::string_view name) {
  if (name == "fifo") return StrategyKind::fifo;
  if (name == "lifo") return StrategyKind::lifo;
  if (name == "random") return StrategyKind::random;
  if (name == "pos") return StrategyKind::pos;
  if (name == "pct") return StrategyKind::pct;
  if (name == "late") return StrategyKind::late;
  if (name == "path") return StrategyKind::path;
  if (name == "exhaustive") return StrategyKind::exhaustive;
  return std::nullopt;
}

bool parse_path(std::string_view text, Path& path) {
  if (text.empty()) return true;
  for (const std::string_view part : split(text, '.')) {
    const auto sides = split(part, '=');
    if (sides.size() != 2) return false;
    const auto place = parse_number<std::uint32_t>(sides[0]);
    const auto index = parse_number<std::uint32_t>(sides[1]);
    if (!place || !index || !path.emplace(*place, *index).second) return false;
  }
  return true;
}

bool parse_arguments(const std::vector<std::string_view>& parts, Schedule& schedule) {
  const std::size_t arguments = parts.size() - 1;
  switch (schedule.kind) {
    case StrategyKind::fifo:
    case StrategyKind::lifo:
      return arguments == 0;
    case StrategyKind::path:
      return arguments == 1 && parse_path(parts[1], schedule.path);
    case StrategyKind::exhaustive: {
      if (arguments == 0) return true;
      const auto limit = parse_number<std::uint64_t>(parts[1]);
      schedule.limit = limit.value_or(0);
      return arguments == 1 && schedule.limit > 0;
    }
    case StrategyKind::random:
    case StrategyKind::pos:
    case StrategyKind::pct:
    case StrategyKind::late:
      break;
  }
  const bool takes_depth = schedule.kind == StrategyKind::pct;
  if (arguments < 1 || arguments > (takes_depth ? 2U : 1U)) return false;
  const auto seed = parse_number<std::uint64_t>(parts[1]);
  if (!seed) return false;
  schedule.seed = *seed;
  if (arguments == 2) {
    const auto depth = parse_number<std::uint32_t>(parts[2]);
    schedule.depth = depth.value_or(0);
    return schedule.depth >= 1 && schedule.depth <= 100;
  }
  return true;
}

}  // namespace

std::optional<Schedule> parse_schedule(std::string_view name) {
  const auto parts = split(name, ':');
  const auto kind = kind_named(parts.front());
  if (!kind) return std::nullopt;
  Schedule schedule;
  schedule.kind = *kind;
  if (!parse_arguments(parts, schedule)) return std::nullopt;
  return schedule;
}

std::string to_string(const Schedule& schedule) {
  switch (schedule.kind) {
    case StrategyKind::fifo:
      return "fifo";
    case StrategyKind::lifo:
      return "lifo";
    case StrategyKind::random:
      return "random:" + std::to_string(schedule.seed);
    case StrategyKind::pos:
      return "pos:" + std::to_string(schedule.seed);
    case StrategyKind::pct:
      return "pct:" + std::to_string(schedule.seed) + ":" + std::to_string(schedule.depth);
    case StrategyKind::late:
      return "late:" + std::to_string(schedule.seed);
    case StrategyKind::exhaustive:
      return "exhaustive:" + std::to_string(schedule.limit);
    case StrategyKind::path:
      break;
  }
  std::string name = "path:";
  for (const auto& [place, index] : schedule.path) {
    if (name.back() != ':') name += '.';
    name += std::to_string(place) + "=" + std::to_string(index);
  }
  return name;
}

}  // namespace protocol
