// SPDX-License-Identifier: MIT
// The steps that could run now, and who chooses among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sim {

/// A function that runs once; movable only.
class Step {
 public:
  template <class Function>
  explicit Step(Function function)
      : body_(std::make_unique<BodyOf<Function>>(std::move(function))) {}

  void operator()() { std::exchange(body_, nullptr)->run(); }

 private:
  struct Body {
    Body() = default;
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;
    virtual ~Body() = default;
    virtual void run() = 0;
  };
  template <class Function>
  struct BodyOf final : Body {
    explicit BodyOf(Function body) : function(std::move(body)) {}
    void run() override { std::move(function)(); }
    Function function;
  };

  std::unique_ptr<Body> body_;
};

/// A step with what strategies know of it.
/// Bounds: `chain` joins a step with the first step that it made ready: one flow of control.
struct ReadyStep {
  Step step;
  std::uint64_t chain = 0;
  std::uint64_t priority = 0;
};

/// Chooses among ready steps; the same choices for the same seed.
class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// Tells of a step that has become ready; may set its priority.
  virtual void on_ready(ReadyStep& /*step*/) {}

  /// The index of the step to run; called only when there are at least two.
  virtual std::size_t choose(const std::vector<ReadyStep>& ready) = 0;

  /// Whether time goes on to the next timer although a step is ready, as on a machine that is slow.
  virtual bool lets_time_pass() { return false; }
};

}  // namespace sim
