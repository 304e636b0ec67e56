// SPDX-License-Identifier: MIT
//
// Short ways to write down a case and the events of a run, and to have them judged.

#pragma once

#include "driver/core/judge.hpp"
#include "driver/judge/trace_check.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace driver::testing_support {

using nlohmann::json;

/// An exercise with every check and part of a check, each standing for a rule of its own: its name.
Exercise exercise_with_all_checks();

/// A case of two workers, a queue of two, deadlines of 1 s and the items 0, 1, 2 ...
Case pool_case(std::size_t items, json changes = json::object());

/// An event at a time in seconds.
Event at(double seconds, const std::string& name, json fields = json::object());

Event pull(double seconds, int item, int k);
Event start(double seconds, int item, int n = 1);
Event end(double seconds, int item, const std::string& how = "ok", int n = 1);
Event cancel(double seconds, int item, int count, int n = 1);
Event yield(double seconds, int result);
Event metrics(double seconds, const std::string& event, const json& detail);

/// Recorded exceptions: class and message.
using Group = std::vector<std::pair<std::string, std::string>>;

/// A complete run of these events, whose report follows from them.
RunLog run_of(std::vector<Event> events, const Group& group = {});

/// A case run that ended as it should, with one run.
CaseRun finished(RunLog log);

/// The names of the checks that fail, in alphabetical order without repetition.
std::set<std::string> failed_checks(const Case& test_case, RunLog log);

/// What one check alone finds, by the names of its parts.
std::set<std::string> found_by(Findings (*check)(const PoolRun&), const Case& test_case,
                               const RunLog& log);

}  // namespace driver::testing_support
