// SPDX-License-Identifier: MIT
//
// Goldens keep the metrics calls apart from the timeline; here they are put back where they belong:
// behind the end of the attempt that they are about.

#include "tests/unit/judge/golden_runs.hpp"

#include "tests/paths.hpp"

#include <filesystem>
#include <map>
#include <stdexcept>

namespace driver::testing_support {
namespace {

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

Exercise read_exercise(const std::string& slug) {
  return load_exercise(std::filesystem::path(paths::root) / "catalog", slug);
}

std::vector<GoldenRun> read_runs(const std::string& slug) {
  std::vector<GoldenRun> runs;
  const Exercise exercise = read_exercise(slug);
  for (const Case& test_case : exercise.cases) {
    if (test_case.data.contains("scenario")) {
      continue;
    }
    const json& entry = exercise.golden.at(test_case.name);
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

const Exercise& golden_exercise(const std::string& slug) {
  static std::map<std::string, Exercise> exercises;
  const auto [place, is_new] = exercises.try_emplace(slug);
  if (is_new) {
    const Exercise loaded = read_exercise(slug);
    place->second = exercise_with_all_checks();
    place->second.golden = loaded.golden;
    place->second.config["judge"] = loaded.config.value("judge", json::object());
  }
  return place->second;
}

const std::vector<GoldenRun>& golden_runs(const std::string& slug) {
  static std::map<std::string, std::vector<GoldenRun>> runs;
  const auto [place, is_new] = runs.try_emplace(slug);
  if (is_new) {
    place->second = read_runs(slug);
  }
  return place->second;
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
