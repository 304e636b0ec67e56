// SPDX-License-Identifier: MIT
// The executor that submissions run on. Work given to it becomes a ready step of the simulation;
// `dispatch` from inside a step runs at once, as on a real io_context: an executor that always
// posts makes correct code use freed memory in Asio 1.26.
#pragma once

#include "driver/sim/simulation.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution.hpp>

#include <utility>

namespace sim {

class SimExecutor {
 public:
  explicit SimExecutor(Simulation& simulation) noexcept : SimExecutor(simulation, {}) {}
  SimExecutor(const SimExecutor& other) noexcept : SimExecutor(*other.simulation_, other.modes_) {}
  SimExecutor& operator=(SimExecutor other) noexcept {
    std::swap(simulation_, other.simulation_);
    std::swap(modes_, other.modes_);
    return *this;
  }
  ~SimExecutor() { count(-1); }

  template <class Function>
  void execute(Function&& function) const {
    if (simulation_->is_closing()) return;  // destroys the function, and with it what it owns
    if (!modes_.never_blocks && simulation_->is_in_step()) {
      std::decay_t<Function> now(std::forward<Function>(function));
      std::move(now)();
    } else {
      simulation_->add_ready(Step(std::decay_t<Function>(std::forward<Function>(function))));
    }
  }

  boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept {
    return simulation_->context();
  }
  boost::asio::execution::blocking_t query(boost::asio::execution::blocking_t) const noexcept {
    if (modes_.never_blocks) return boost::asio::execution::blocking.never;
    return boost::asio::execution::blocking.possibly;
  }

  SimExecutor require(boost::asio::execution::blocking_t::never_t) const noexcept {
    return {*simulation_, {true, modes_.tracked}};
  }
  SimExecutor require(boost::asio::execution::blocking_t::possibly_t) const noexcept {
    return {*simulation_, {false, modes_.tracked}};
  }
  SimExecutor require(boost::asio::execution::outstanding_work_t::tracked_t) const noexcept {
    return {*simulation_, {modes_.never_blocks, true}};
  }
  SimExecutor require(boost::asio::execution::outstanding_work_t::untracked_t) const noexcept {
    return {*simulation_, {modes_.never_blocks, false}};
  }

  friend bool operator==(const SimExecutor& a, const SimExecutor& b) noexcept {
    return a.simulation_ == b.simulation_ && a.modes_.never_blocks == b.modes_.never_blocks &&
           a.modes_.tracked == b.modes_.tracked;
  }
  friend bool operator!=(const SimExecutor& a, const SimExecutor& b) noexcept { return !(a == b); }

 private:
  struct Modes {
    bool never_blocks = false;
    bool tracked = false;
  };

  SimExecutor(Simulation& simulation, Modes modes) noexcept
      : simulation_(&simulation), modes_(modes) {
    count(+1);
  }

  void count(int change) const noexcept {
    if (modes_.tracked) simulation_->change_outstanding(change);
  }

  Simulation* simulation_;
  Modes modes_;
};

}  // namespace sim
