// SPDX-License-Identifier: MIT
#include "driver/runner/run.hpp"

#include "aio/error.hpp"
#include "aio/queue.hpp"
#include "aio/task.hpp"
#include "aio/type_name.hpp"
#include "driver/protocol/schedule.hpp"
#include "driver/runner/exercise.hpp"
#include "driver/sim/simulation.hpp"
#include "driver/sim/strategies.hpp"
#include "driver/sim/virtual_clock.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

// How much of what a submission left running is looked at after the end of the run.
constexpr std::uint64_t steps_after_the_end = 5'000;

template <class Visit>
void for_each_task(Visit visit) {
  const aio::detail::TaskLink& anchor = aio::detail::live_tasks();
  for (auto* link = anchor.next; link != &anchor; link = link->next) {
    visit(*static_cast<aio::detail::TaskState*>(link));
  }
}

class SimulatedRun final : public RunContext {
 public:
  SimulatedRun(const nlohmann::json& test_case, sim::Simulation& simulation, Recorder& recorder)
      : test_case_(test_case), simulation_(simulation), recorder_(recorder) {}

  const nlohmann::json& test_case() const override { return test_case_; }
  Recorder& recorder() override { return recorder_; }
  boost::asio::any_io_executor outside() override { return simulation_.outside(); }
  std::int64_t now_ns() const override { return sim::clock::now_ns(); }
  std::size_t tasks() override { return simulation_.outstanding(); }

  void report_tasks_left() override {
    for_each_task([&](const aio::detail::TaskState& task) {
      if (&task != aio::detail::current_task_state()) {
        recorder_.event("task_left", {{"name", std::string_view(task.name())}});
      }
    });
  }

 private:
  const nlohmann::json& test_case_;
  sim::Simulation& simulation_;
  Recorder& recorder_;
};

Json waiting_tasks() {
  Json tasks = Json::array();
  for_each_task([&](const aio::detail::TaskState& task) {
    const char* what = task.waits_for ? task.waits_for : "an operation of Asio's";
    tasks.push_back({{"name", task.name()}, {"waits_for", what}});
  });
  return tasks;
}

void record_failure(const std::exception_ptr& error, Recorder& recorder) {
  try {
    std::rethrow_exception(error);
  } catch (const aio::NotImplemented& missing) {
    recorder.fatal("not_implemented", {{"what", missing.what()}});
  } catch (const CaseFault& fault) {
    recorder.fatal("grader_fault", {{"what", fault.what()}});
  } catch (const std::exception& failure) {
    recorder.fatal("escaped", {{"what", aio::type_name(failure) + ": " + failure.what()}});
  } catch (...) {
    recorder.fatal("escaped", {{"what", aio::type_name(error)}});
  }
}

// Runs the case; returns whether it has come to its own end.
bool run_to_end(sim::Simulation& simulation, const aio::Task<Observation>& task,
                Recorder& recorder) {
  bool finished = false;
  task.state()->on_done([&finished](aio::detail::TaskState&) { finished = true; });
  switch (simulation.run_until(finished)) {
    case sim::RunEnd::finished:
      return true;
    case sim::RunEnd::idle:
      recorder.fatal("deadlock", {{"tasks", waiting_tasks()}});
      return false;
    case sim::RunEnd::livelock:
      recorder.fatal("livelock", {{"steps", simulation.steps()}});
      return false;
  }
  return false;
}

void run(const nlohmann::json& test_case, sim::Simulation& simulation, Recorder& recorder) {
  SimulatedRun context(test_case, simulation, recorder);
  const aio::Task<Observation> task =
      aio::spawn(simulation.executor(), run_case(context), "the caller");
  if (!run_to_end(simulation, task, recorder)) return;
  simulation.run_to_rest(steps_after_the_end);
  if (task.cancelled() || task.exception()) {
    record_failure(task.cancelled() ? std::make_exception_ptr(aio::Cancelled()) : task.exception(),
                   recorder);
  } else {
    const Observation seen = task.result();
    if (seen.follows_from_events && recorder.repeats_earlier_run()) return;
    recorder.report(seen.report(), seen.observed(), seen.follows_from_events);
  }
}

// What aio notices and nobody asks for, noted as events for as long as this lives.
class AioHooks {
 public:
  explicit AioHooks(Recorder& recorder) {
    aio::detail::unread_exception_hook() = [&recorder](const std::string& task,
                                                       const std::exception_ptr& error) {
      const std::string what = aio::type_name(error) + " of " + task;
      recorder.event("unread_exception", {{"what", std::string_view(what)}});
    };
    aio::detail::unfinished_queue_hook() = [&recorder](std::size_t count) {
      recorder.event("unfinished_queue", {{"count", static_cast<std::int64_t>(count)}});
    };
  }
  AioHooks(const AioHooks&) = delete;
  AioHooks& operator=(const AioHooks&) = delete;
  ~AioHooks() {
    aio::detail::unread_exception_hook() = nullptr;
    aio::detail::unfinished_queue_hook() = nullptr;
  }
};

// One run from its simulation's start to its end, between the recorder's begin and end.
void run_once(const nlohmann::json& test_case, sim::Strategy& strategy, std::uint64_t steps,
              Recorder& recorder) {
  sim::Simulation::Limits limits;
  limits.steps = steps;
  sim::Simulation simulation(strategy, limits);
  const AioHooks hooks(recorder);
  try {
    run(test_case, simulation, recorder);
  } catch (const aio::NotImplemented& missing) {
    recorder.fatal("not_implemented", {{"what", missing.what()}});
  } catch (...) {
    // A completion handler threw: with a real io_context, run() would have thrown it.
    const std::string what = aio::type_name(std::current_exception()) + " left the event loop";
    recorder.fatal("crash", {{"signal", nullptr}, {"what", what}});
  }
}

// The schedules of one case.
class Runs {
 public:
  Runs(const nlohmann::json& test_case, const RunPlan& plan, Recorder& recorder)
      : test_case_(test_case), plan_(plan), recorder_(recorder) {}

  void run(const std::string& name) {
    const auto schedule = protocol::parse_schedule(name);
    if (!schedule) {
      recorder_.begin(name);
      recorder_.fatal("grader_fault", {{"what", "no such schedule: " + name}});
      recorder_.end();
    } else if (schedule->kind == protocol::StrategyKind::exhaustive) {
      explore(schedule->limit);
    } else {
      const auto make = [&] { return strategy_of(*schedule); };
      recorder_.begin(name);
      run_once(test_case_, *make(), plan_.steps, recorder_);
      recorder_.end();
      if (plan_.runs_twice && !recorder_.has_fatal()) {
        recorder_.begin_again();
        run_once(test_case_, *make(), plan_.steps, recorder_);
        recorder_.end();
      }
    }
  }

 private:
  std::unique_ptr<sim::Strategy> strategy_of(const protocol::Schedule& schedule) {
    auto strategy = sim::make_strategy(schedule);
    if (!plan_.tells_choices) return strategy;
    const auto tell = [this](std::uint32_t place, std::uint32_t index) {
      recorder_.choice(place, index);
    };
    return std::make_unique<sim::TellingStrategy>(std::move(strategy), tell);
  }

  void explore(std::uint64_t limit) {
    std::optional<protocol::Path> path = protocol::Path();
    for (std::uint64_t count = 0; path && count < limit && !recorder_.has_fatal(); ++count) {
      sim::PathStrategy strategy(*path);
      recorder_.begin(
          protocol::to_string({.kind = protocol::StrategyKind::path, .path = std::move(*path)}));
      run_once(test_case_, strategy, plan_.steps, recorder_);
      recorder_.end();
      path = strategy.next_path();
    }
    if (!recorder_.has_fatal()) recorder_.explored(!path);
  }

  const nlohmann::json& test_case_;
  const RunPlan& plan_;
  Recorder& recorder_;
};

}  // namespace

void run_under_schedules(const nlohmann::json& test_case, const RunPlan& plan, Recorder& recorder) {
  Runs runs(test_case, plan, recorder);
  for (const std::string& schedule : plan.schedules) {
    if (recorder.has_fatal()) return;
    runs.run(schedule);
  }
}

}  // namespace runner
