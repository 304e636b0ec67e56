// SPDX-License-Identifier: MIT
// Runs aio code on the simulation: time is virtual and a named schedule chooses the order.
#pragma once

#include "aio/repr.hpp"
#include "aio/sleep.hpp"
#include "aio/task.hpp"
#include "driver/protocol/schedule.hpp"
#include "driver/sim/simulation.hpp"
#include "driver/sim/strategies.hpp"
#include "driver/sim/virtual_clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace aio::test {

namespace asio = boost::asio;

/// What a test writes down; coroutines take it by pointer.
using Log = std::vector<std::string>;

/// fifo, lifo, and fifty random schedules.
inline std::vector<std::string> schedules() {
  std::vector<std::string> names = {"fifo", "lifo"};
  for (int seed = 1; seed <= 50; ++seed) names.push_back("random:" + std::to_string(seed));
  return names;
}

/// "ok" for null, else what was thrown, as aio::repr spells it.
inline std::string outcome(const std::exception_ptr& error) { return error ? repr(error) : "ok"; }

/// How a task stands: "running", "cancelled", "ok" or what it threw.
template <class T>
std::string outcome(const Task<T>& task) {
  if (!task.done()) return "running";
  return task.cancelled() ? "cancelled" : outcome(task.exception());
}

/// Does `action` when `delay` has passed.
inline asio::awaitable<void> after(std::chrono::duration<double> delay,
                                   std::function<void()> action) {
  co_await sleep(delay);
  action();
}

/// Virtual time since the loop was made.
inline std::chrono::nanoseconds now() { return std::chrono::nanoseconds(sim::clock::now_ns()); }

/// A simulation with its strategy; the clock is virtual while it lives.
/// Errors: std::invalid_argument when `schedule` names none.
class VirtualLoop {
 public:
  explicit VirtualLoop(const std::string& schedule = "fifo")
      : strategy_(strategy_named(schedule)),
        simulation_(std::make_unique<sim::Simulation>(*strategy_, sim::Simulation::Limits{})) {}
  VirtualLoop(const VirtualLoop&) = delete;
  VirtualLoop& operator=(const VirtualLoop&) = delete;
  ~VirtualLoop() { destroy(); }

  /// Destroys the simulation, with whatever still waits in it.
  void destroy() {
    simulation_.reset();
    sim::clock::stop();
  }

  asio::any_io_executor executor() { return simulation_->executor(); }
  sim::Simulation& simulation() { return *simulation_; }

  template <class T>
  Task<T> spawn(asio::awaitable<T> body, std::string name = {}) {
    return aio::spawn(executor(), std::move(body), std::move(name));
  }

  /// Runs until `task` has ended.
  template <class T>
  sim::RunEnd run(const Task<T>& task) {
    const auto is_done = std::make_shared<bool>(task.done());
    task.state()->on_done([is_done](detail::TaskState&) { *is_done = true; });
    return simulation_->run_until(*is_done);
  }

  /// Runs whatever there is to run.
  sim::RunEnd run_to_rest() { return simulation_->run_to_rest(100'000); }

  /// Runs at most `count` steps; time moves on when nothing is ready.
  void step(std::uint64_t count = 1) { simulation_->run_to_rest(count); }

 private:
  static std::unique_ptr<sim::Strategy> strategy_named(const std::string& name) {
    const auto schedule = protocol::parse_schedule(name);
    if (!schedule) throw std::invalid_argument("no such schedule: " + name);
    return sim::make_strategy(*schedule);
  }

  std::unique_ptr<sim::Strategy> strategy_;
  std::unique_ptr<sim::Simulation> simulation_;
};

/// What one run came to.
struct RunResult {
  sim::RunEnd end = sim::RunEnd::idle;
  std::chrono::nanoseconds time{};
  std::string outcome;  ///< "ok", "cancelled", what was thrown, or "running" when it never ended
};

/// Runs `body` as a task until it has ended.
inline RunResult run_virtually(asio::awaitable<void> body, const std::string& schedule = "fifo") {
  VirtualLoop loop(schedule);
  const Task<void> task = loop.spawn(std::move(body), "main");
  RunResult result;
  result.end = loop.run(task);
  result.time = now();
  result.outcome = outcome(task);
  return result;
}

/// Calls `check(schedule)` for each schedule, and names the schedule of a failure.
template <class Check>
void under_all_schedules(Check check) {
  for (const std::string& schedule : schedules()) {
    SCOPED_TRACE(schedule);
    check(schedule);
  }
}

}  // namespace aio::test
