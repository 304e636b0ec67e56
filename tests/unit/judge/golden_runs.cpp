// SPDX-License-Identifier: MIT
//
// Goldens keep the metrics calls apart from the timeline; here they are put back where they belong:
// behind the end of the attempt that they are about.

#include "tests/unit/judge/golden_runs.hpp"

#include "tests/paths.hpp"

#include <fstream>
#include <stdexcept>

namespace driver::testing_support {
namespace {

json read(const std::string& path) {
  std::ifstream file(std::string(paths::root) + "/catalog/pool-stop/" + path);
  return json::parse(file);
}

std::vector<Event> events_of(const json& observed) {
  std::vector<Event> events;
  std::vector<json> calls = observed.at("metrics");
  for (const json& entry : observed.at("timeline")) {
    json fields = entry;
    fields.erase("t");
    fields.erase("ev");
    const auto name = entry.at("ev").get<std::string>();
    if (name == "stop" && fields.at("by") == "pool") {
      continue;  // cannot be seen from outside
    }
    events.push_back(at(entry.at("t").get<double>(), name, fields));
    const bool has_call = name == "attempt_end" && !calls.empty() && calls[0][2] == entry.at("t");
    if (has_call) {
      events.push_back(metrics(calls[0][2], calls[0][0], calls[0][1]));
      calls.erase(calls.begin());
    }
  }
  if (!calls.empty()) {
    throw std::runtime_error("a metrics call belongs to no attempt");
  }
  return events;
}

RunLog log_of(const json& reading) {
  RunLog log;
  log.schedule = "fifo";
  log.complete = true;
  log.events = events_of(reading.at("observed"));
  log.report = reading.at("report");
  log.observed = reading.at("observed");
  return log;
}

std::vector<GoldenRun> read_runs() {
  std::vector<GoldenRun> runs;
  const json goldens = read("golden/matrix.json").at("cases");
  const json cases = read("cases.json").at("cases");
  for (const json& data : cases) {
    if (data.contains("scenario")) {
      continue;
    }
    const Case test_case = {.name = data.at("name").get<std::string>(), .data = data};
    const json& entry = goldens.at(test_case.name);
    runs.push_back({.name = test_case.name, .test_case = test_case, .log = log_of(entry)});
    for (const json& reading : entry.at("also_allowed")) {
      runs.push_back({.name = test_case.name + " " + reading.at("readings").dump(),
                      .test_case = test_case,
                      .log = log_of(reading)});
    }
  }
  return runs;
}

}  // namespace

const Exercise& golden_exercise() {
  static const Exercise exercise = [] {
    Exercise made = exercise_with_all_checks();
    made.golden = read("golden/matrix.json").at("cases");
    return made;
  }();
  return exercise;
}

const std::vector<GoldenRun>& golden_runs() {
  static const std::vector<GoldenRun> runs = read_runs();
  return runs;
}

const GoldenRun& golden_run(const std::string& name) {
  for (const GoldenRun& run : golden_runs()) {
    if (run.name == name) {
      return run;
    }
  }
  throw std::runtime_error("no golden \"" + name + "\"");
}

}  // namespace driver::testing_support
