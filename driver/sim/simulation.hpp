// SPDX-License-Identifier: MIT
// One run of a submission under virtual time and a chosen schedule: a pure function of what runs
// and of the strategy.
#pragma once

#include "driver/sim/ready_list.hpp"
#include "driver/sim/virtual_clock.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sim {

/// How a simulation came to rest.
enum class RunEnd {
  finished,  ///< what was waited for has happened
  idle,      ///< nothing is ready and no timer is left
  livelock,  ///< the step limit was reached
};

/// An event loop whose time is virtual and whose order is chosen.
/// Lifetime: one at a time in a process; everything that runs on executor() dies with it.
class Simulation {
 public:
  struct Limits {
    std::uint64_t steps = 200'000;
    // Later than any case: its times are at most 10^6 s, a few of them one after the other.
    std::int64_t end_ns = 10'000'000LL * 1'000'000'000LL;
  };

  Simulation(Strategy& strategy, Limits limits);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  boost::asio::any_io_executor executor();

  /// An executor for what is no part of the submission, such as a server that it talks to: it runs
  /// between the steps, is no choice of the strategy's, and does not count as outstanding.
  boost::asio::any_io_executor outside() { return loop_.get_executor(); }

  /// Runs steps until `finished` is true after one of them.
  RunEnd run_until(const bool& finished);

  /// Runs what is left, for at most `steps` more steps and about two days.
  RunEnd run_to_rest(std::uint64_t steps);

  /// How many pieces of work are outstanding: tasks, and operations that have not completed.
  /// An operation that has completed or was cancelled does not count, even if nobody has been told.
  std::size_t outstanding();

  std::uint64_t steps() const { return steps_; }

  // For SimExecutor.
  boost::asio::execution_context& context() { return loop_; }
  bool is_in_step() const { return is_in_step_; }
  bool is_closing() const { return is_closing_; }
  void add_ready(Step step);
  void change_outstanding(int change) { outstanding_ += change; }

 private:
  bool has_news();
  bool advance_time();
  std::size_t poll();
  void run_one();
  RunEnd run(const bool& finished, std::uint64_t step_limit);

  // First, because the event loop must find the virtual clock when it makes its timer descriptor.
  clock::Scope clock_;
  Strategy& strategy_;
  Limits limits_;
  std::vector<ReadyStep> ready_;
  std::int64_t outstanding_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t last_chain_ = 0;
  std::optional<std::uint64_t> inherited_chain_;  // of the running step, until its first child
  bool is_in_step_ = false;
  bool is_closing_ = false;
  bool is_network_quiet_ = false;  // nothing can have been sent since it was found so
  // Last, so that it dies first: the coroutines that it destroys still use all of the above.
  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> loop_guard_;
};

}  // namespace sim
