// SPDX-License-Identifier: MIT
// What the runner and an exercise know of each other. The exercise's translation unit, which is
// compiled with every submission, defines the two names at the end.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "driver/runner/recorder.hpp"

namespace runner {

/// What one run observed.
/// Shape: `report` has the keys of the exercise's text and no others; `observed` has the rest.
struct Observation {
  nlohmann::ordered_json report = nlohmann::ordered_json::object();
  nlohmann::ordered_json observed = nlohmann::ordered_json::object();
};

/// The run that a case is part of.
class RunContext {
 public:
  RunContext() = default;
  RunContext(const RunContext&) = delete;
  RunContext& operator=(const RunContext&) = delete;
  virtual ~RunContext() = default;

  virtual const nlohmann::json& test_case() const = 0;
  virtual Recorder& recorder() = 0;

  /// Units: virtual nanoseconds since the start of the run.
  virtual std::int64_t now_ns() const = 0;

  /// How many tasks are alive at this instant, raw co_spawn included; operations whose completion
  /// nobody has seen yet do not count.
  virtual std::size_t tasks() = 0;

  /// Notes one event per task, other than the running one, that is alive at this instant.
  virtual void report_tasks_left() = 0;
};

/// The exercise's name, as in catalog/.
extern const char* const exercise_slug;

/// Runs the case of `context` to its end; the last thing it does is to return what it observed.
/// Errors: aio::NotImplemented out of the submission is passed on.
boost::asio::awaitable<Observation> run_case(RunContext& context);

}  // namespace runner
