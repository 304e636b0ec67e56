// SPDX-License-Identifier: MIT
#include "driver/sim/simulation.hpp"

#include "driver/sim/blocking.hpp"
#include "driver/sim/network.hpp"
#include "driver/sim/sim_executor.hpp"

#include <algorithm>
#include <utility>

namespace sim {
namespace {

// Asio asks for wake-ups in whole microseconds; within the last one the clock goes on tick by tick,
// so that a timer fires at its own nanosecond.
constexpr std::int64_t coarse_ns = 1000;

// A step may throw: what leaves a completion handler leaves the event loop, as in Asio.
class InStep {
 public:
  explicit InStep(bool& flag) : flag_(flag) { set(true); }
  InStep(const InStep&) = delete;
  InStep& operator=(const InStep&) = delete;
  ~InStep() { set(false); }

 private:
  void set(bool value) {
    flag_ = value;
    set_in_step(value);
  }
  bool& flag_;
};

}  // namespace

Simulation::Simulation(Strategy& strategy, Limits limits)
    : strategy_(strategy), limits_(limits), loop_(1), loop_guard_(loop_.get_executor()) {}

Simulation::~Simulation() {
  // From here on, steps are dropped instead of queued: Asio posts the unwinding of every coroutine
  // that is still suspended, and dropping it unwinds the coroutine while its services still live.
  is_closing_ = true;
  while (!ready_.empty()) std::exchange(ready_, {}).clear();
}

boost::asio::any_io_executor Simulation::executor() { return SimExecutor(*this); }

void Simulation::add_ready(Step step) {
  ReadyStep ready{std::move(step)};
  ready.chain = inherited_chain_ ? *inherited_chain_ : ++last_chain_;
  inherited_chain_.reset();
  strategy_.on_ready(ready);
  ready_.push_back(std::move(ready));
}

RunEnd Simulation::run_until(const bool& finished) { return run(finished, limits_.steps); }

RunEnd Simulation::run_to_rest(std::uint64_t steps) {
  // Asio's own alarm rings every five minutes for ever, so nothing but a limit ends this.
  constexpr std::int64_t two_days_ns = 200'000LL * 1'000'000'000LL;
  limits_.end_ns = std::min(limits_.end_ns, clock::now_ns() + two_days_ns);
  const bool never = false;
  return run(never, steps_ + steps);
}

RunEnd Simulation::run(const bool& finished, std::uint64_t step_limit) {
  while (!finished) {
    poll();
    if (ready_.empty()) {
      if (!has_news() && !advance_time()) return RunEnd::idle;
    } else if (strategy_.lets_time_pass() && !has_news() && advance_time()) {
      continue;  // what has become ready meanwhile is among the choices
    } else if (steps_ >= step_limit) {
      return RunEnd::livelock;
    } else {
      run_one();
    }
  }
  return RunEnd::finished;
}

std::size_t Simulation::outstanding() {
  poll();
  return static_cast<std::size_t>(outstanding_);
}

// Whether bytes were still on their way, so that time must not go on yet. An answer to them may be
// on its way as well by the time they have arrived, so the network is quiet when it was twice.
bool Simulation::has_news() {
  if (!clock::has_sockets() || is_network_quiet_) return false;
  for (int times = 0; times < 2; ++times) {
    network::settle();
    if (poll() > 0) return true;
  }
  is_network_quiet_ = true;
  return false;
}

bool Simulation::advance_time() {
  const auto alarm = clock::next_alarm_ns();
  if (!alarm || *alarm > limits_.end_ns) return false;
  const std::int64_t now = clock::now_ns();
  const bool is_close = *alarm > now && *alarm - now <= coarse_ns;
  clock::advance_to(is_close ? now + 1 : *alarm);
  return true;
}

// Completions that the loop finds become ready steps; nothing of the submission runs in here.
std::size_t Simulation::poll() {
  const bool was_in_step = std::exchange(is_in_step_, false);
  const auto inherited = std::exchange(inherited_chain_, std::nullopt);
  const std::size_t count = loop_.poll();
  if (count > 0) is_network_quiet_ = false;
  inherited_chain_ = inherited;
  is_in_step_ = was_in_step;
  return count;
}

void Simulation::run_one() {
  const std::size_t index = ready_.size() == 1 ? 0 : strategy_.choose(ready_);
  ReadyStep chosen = std::move(ready_[index]);
  ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(index));
  ++steps_;
  is_network_quiet_ = false;
  inherited_chain_ = chosen.chain;
  const InStep scope(is_in_step_);
  chosen.step();
  inherited_chain_.reset();
}

}  // namespace sim
