// SPDX-License-Identifier: MIT
// The strategies behind the names of schedules.
#pragma once

#include "driver/protocol/schedule.hpp"
#include "driver/sim/ready_list.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sim {

/// The strategy of a schedule; for `exhaustive`, a PathStrategy that starts with the first path.
std::unique_ptr<Strategy> make_strategy(const protocol::Schedule& schedule);

/// Follows a path of choices, then chooses the first step each time, and notes how many steps there
/// were to choose from.
class PathStrategy final : public Strategy {
 public:
  explicit PathStrategy(protocol::Path path) : path_(std::move(path)) {}

  std::size_t choose(const std::vector<ReadyStep>& ready) override;

  /// The path after this one in depth-first order; nothing when this was the last.
  /// Lifetime: valid after a whole run.
  std::optional<protocol::Path> next_path() const;

 private:
  struct Choice {
    std::uint32_t chosen;
    std::uint32_t choices;
  };
  protocol::Path path_;
  std::vector<Choice> made_;
};

/// Chooses as another strategy does, and tells of each choice that is not the first step.
class TellingStrategy final : public Strategy {
 public:
  using Listener = std::function<void(std::uint32_t place, std::uint32_t index)>;

  TellingStrategy(std::unique_ptr<Strategy> strategy, Listener listener)
      : strategy_(std::move(strategy)), listener_(std::move(listener)) {}

  void on_ready(ReadyStep& step) override { strategy_->on_ready(step); }
  std::size_t choose(const std::vector<ReadyStep>& ready) override;
  bool lets_time_pass() override { return strategy_->lets_time_pass(); }

 private:
  std::unique_ptr<Strategy> strategy_;
  Listener listener_;
  std::uint32_t place_ = 0;
};

}  // namespace sim
