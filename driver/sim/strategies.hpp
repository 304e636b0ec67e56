// SPDX-License-Identifier: MIT
// The strategies behind the names of schedules.
#pragma once

#include "driver/protocol/schedule.hpp"
#include "driver/sim/ready_list.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace sim {

/// The strategy of a schedule; for `exhaustive`, a PathStrategy that starts with the first path.
std::unique_ptr<Strategy> make_strategy(const protocol::Schedule& schedule);

/// Follows a path of choices, then chooses the first step each time, and notes how many steps there
/// were to choose from.
class PathStrategy final : public Strategy {
 public:
  explicit PathStrategy(std::vector<std::uint32_t> path) : path_(std::move(path)) {}

  std::size_t choose(const std::vector<ReadyStep>& ready) override;

  /// The path after this one in depth-first order; false when this was the last.
  /// Lifetime: valid after a whole run.
  bool next_path(std::vector<std::uint32_t>& path) const;

 private:
  struct Choice {
    std::uint32_t chosen;
    std::uint32_t choices;
  };
  std::vector<std::uint32_t> path_;
  std::vector<Choice> made_;
};

}  // namespace sim
