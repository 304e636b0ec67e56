// SPDX-License-Identifier: MIT
#include "driver/sim/strategies.hpp"

#include <algorithm>
#include <map>
#include <random>

namespace sim {
namespace {

// The engine's numbers are fixed by the standard; its distributions are not, so they stay unused.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t next() { return engine_(); }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }

 private:
  std::mt19937_64 engine_;
};

class Fifo final : public Strategy {
 public:
  std::size_t choose(const std::vector<ReadyStep>& /*ready*/) override { return 0; }
};

class Lifo final : public Strategy {
 public:
  std::size_t choose(const std::vector<ReadyStep>& ready) override { return ready.size() - 1; }
};

class RandomWalk final : public Strategy {
 public:
  explicit RandomWalk(std::uint64_t seed) : random_(seed) {}
  std::size_t choose(const std::vector<ReadyStep>& ready) override {
    return random_.below(ready.size());
  }

 private:
  Random random_;
};

// A random walk on a slow machine: now and then a timer is due before the steps that are ready have
// run. Source: the chaos mode of rr, which found by experiment that this is what schedules miss.
class Late final : public Strategy {
 public:
  explicit Late(std::uint64_t seed) : random_(seed) {}
  std::size_t choose(const std::vector<ReadyStep>& ready) override {
    return random_.below(ready.size());
  }
  bool lets_time_pass() override { return random_.below(one_in) == 0; }

 private:
  static constexpr std::size_t one_in = 12;
  Random random_;
};

std::size_t highest_priority(const std::vector<ReadyStep>& ready) {
  const auto highest = std::ranges::max_element(ready, {}, &ReadyStep::priority);
  return static_cast<std::size_t>(highest - ready.begin());
}

// Partial order sampling: every step gets a random priority when it becomes ready.
class PartialOrderSampling final : public Strategy {
 public:
  explicit PartialOrderSampling(std::uint64_t seed) : random_(seed) {}
  void on_ready(ReadyStep& step) override { step.priority = random_.next(); }
  std::size_t choose(const std::vector<ReadyStep>& ready) override {
    return highest_priority(ready);
  }

 private:
  Random random_;
};

// Probabilistic concurrency testing: every chain has a random priority, and at depth - 1 random
// choices the chain that would run falls below all others.
class Pct final : public Strategy {
 public:
  Pct(std::uint64_t seed, std::uint32_t depth) : seed_(seed) {
    Random random(seed);
    for (std::uint32_t i = 1; i < depth; ++i) changes_.push_back(random.below(expected_choices));
  }

  std::size_t choose(const std::vector<ReadyStep>& ready) override {
    for (;;) {
      std::size_t best = 0;
      for (std::size_t i = 1; i < ready.size(); ++i) {
        if (priority_of(ready[i].chain) > priority_of(ready[best].chain)) best = i;
      }
      const auto change = std::ranges::find(changes_, choices_);
      if (change == changes_.end()) {
        ++choices_;
        return best;
      }
      changes_.erase(change);
      lowered_[ready[best].chain] = changes_.size();
    }
  }

 private:
  static constexpr std::size_t expected_choices = 60;

  // Computed, not kept: a run may have more chains than memory, and its memory is looked at.
  // Source: the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
  std::uint64_t priority_of(std::uint64_t chain) const {
    const auto place = lowered_.find(chain);
    if (place != lowered_.end()) return place->second;
    std::uint64_t bits = seed_ + chain * 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return (bits ^ (bits >> 31U)) | (std::uint64_t{1} << 63U);
  }

  std::uint64_t seed_;
  std::vector<std::size_t> changes_;
  std::map<std::uint64_t, std::uint64_t> lowered_;
  std::size_t choices_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(const protocol::Schedule& schedule) {
  switch (schedule.kind) {
    case protocol::StrategyKind::lifo:
      return std::make_unique<Lifo>();
    case protocol::StrategyKind::random:
      return std::make_unique<RandomWalk>(schedule.seed);
    case protocol::StrategyKind::pos:
      return std::make_unique<PartialOrderSampling>(schedule.seed);
    case protocol::StrategyKind::pct:
      return std::make_unique<Pct>(schedule.seed, schedule.depth);
    case protocol::StrategyKind::late:
      return std::make_unique<Late>(schedule.seed);
    case protocol::StrategyKind::path:
    case protocol::StrategyKind::exhaustive:
      return std::make_unique<PathStrategy>(schedule.path);
    case protocol::StrategyKind::fifo:
      break;
  }
  return std::make_unique<Fifo>();
}

std::size_t PathStrategy::choose(const std::vector<ReadyStep>& ready) {
  const auto choices = static_cast<std::uint32_t>(ready.size());
  const auto wanted = path_.find(static_cast<std::uint32_t>(made_.size()));
  const std::uint32_t chosen = wanted == path_.end() ? 0 : std::min(wanted->second, choices - 1);
  made_.push_back({chosen, choices});
  return chosen;
}

std::optional<protocol::Path> PathStrategy::next_path() const {
  for (std::size_t last = made_.size(); last-- > 0;) {
    if (made_[last].chosen + 1 == made_[last].choices) continue;
    protocol::Path path;
    for (std::size_t place = 0; place <= last; ++place) {
      const std::uint32_t chosen = made_[place].chosen + (place == last ? 1 : 0);
      if (chosen > 0) path[static_cast<std::uint32_t>(place)] = chosen;
    }
    return path;
  }
  return std::nullopt;
}

std::size_t TellingStrategy::choose(const std::vector<ReadyStep>& ready) {
  const std::size_t chosen = strategy_->choose(ready);
  if (chosen > 0) listener_(place_, static_cast<std::uint32_t>(chosen));
  ++place_;
  return chosen;
}

}  // namespace sim
