// SPDX-License-Identifier: MIT
// What the runner and an exercise know of each other. The exercise's translation unit, which is
// compiled with every submission, defines the two names at the end.
#pragma once

#include "driver/runner/recorder.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

namespace runner {

/// What one run observed, made when it is asked for.
/// Shape: `report` has the keys of the exercise's text and no others; `observed` has the rest.
struct Observation {
  using Json = nlohmann::ordered_json;

  std::function<Json()> report = [] { return Json::object(); };
  std::function<Json()> observed = [] { return Json::object(); };
  bool follows_from_events = false;  ///< The same events always give the same observation.
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

  /// Where to run what is no part of the submission, such as a server that it talks to.
  virtual boost::asio::any_io_executor outside() = 0;

  /// Units: virtual nanoseconds since the start of the run.
  virtual std::int64_t now_ns() const = 0;

  /// How many tasks are alive at this instant, raw co_spawn included; operations whose completion
  /// nobody has seen yet do not count.
  virtual std::size_t tasks() = 0;

  /// Notes one event per task, other than the running one, that is alive at this instant.
  virtual void report_tasks_left() = 0;
};

/// The case itself cannot be run: the catalogue or the runner is at fault, not the submission.
struct CaseFault : std::logic_error {
  using std::logic_error::logic_error;
};

/// The exercise's name, as in catalog/.
extern const char* const exercise_slug;

/// Runs the case of `context` to its end; the last thing it does is to return what it observed.
/// Errors: aio::NotImplemented out of the submission is passed on; CaseFault.
boost::asio::awaitable<Observation> run_case(RunContext& context);

}  // namespace runner
