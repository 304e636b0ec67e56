// SPDX-License-Identifier: MIT
// A simulation for one test, with its strategy; the clock is real again afterwards.
#pragma once

#include "driver/protocol/schedule.hpp"
#include "driver/sim/simulation.hpp"
#include "driver/sim/strategies.hpp"
#include "driver/sim/virtual_clock.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sim::test {

namespace asio = boost::asio;

class Simulated {
 public:
  explicit Simulated(const std::string& schedule = "fifo", Simulation::Limits limits = {})
      : strategy_(make_strategy(protocol::parse_schedule(schedule).value())),
        simulation_(std::make_unique<Simulation>(*strategy_, limits)) {}
  Simulated(const Simulated&) = delete;
  Simulated& operator=(const Simulated&) = delete;
  ~Simulated() { destroy(); }

  void destroy() {
    simulation_.reset();
    clock::stop();
  }

  Simulation& operator*() { return *simulation_; }
  Simulation* operator->() { return simulation_.get(); }
  asio::any_io_executor executor() { return simulation_->executor(); }
  RunEnd run(std::uint64_t steps = 10'000) { return simulation_->run_to_rest(steps); }

 private:
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace sim::test
