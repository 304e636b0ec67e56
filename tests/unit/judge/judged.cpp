// SPDX-License-Identifier: MIT
//
// The report of a made-up run is computed as the runner's fixtures compute it.

#include "tests/unit/judge/judged.hpp"

#include <algorithm>
#include <map>

namespace driver::testing_support {
namespace {

constexpr const char* check_names[] = {"stop_before",
                                       "pull_overlap",
                                       "deadline",
                                       "deadline.early",
                                       "deadline.retry",
                                       "cancel_rounds",
                                       "cancel_rounds.limit",
                                       "cancel_rounds.spacing",
                                       "attempt_overlap",
                                       "attempt_overlap.abandoned",
                                       "active_limit",
                                       "active_limit.abandoned",
                                       "retry",
                                       "retry.class",
                                       "retry.timeout",
                                       "retry.zero",
                                       "retry.delay",
                                       "retry.subclass",
                                       "retry.after_stop",
                                       "retry.budget",
                                       "stop",
                                       "stop.failure",
                                       "stop.source",
                                       "stop.wake",
                                       "source_failure",
                                       "source_failure.again",
                                       "source_failure.woken",
                                       "source_failure.cancelled",
                                       "lead",
                                       "fifo",
                                       "full_use",
                                       "full_use.slow_reader",
                                       "late_outcome",
                                       "late_outcome.error",
                                       "order",
                                       "results",
                                       "results.late",
                                       "results.missing",
                                       "results.drained",
                                       "metrics",
                                       "metrics.ok",
                                       "metrics.retry",
                                       "metrics.failure",
                                       "metrics.order",
                                       "group",
                                       "group.none",
                                       "group.empty",
                                       "group.last",
                                       "group.lost",
                                       "group.recovered",
                                       "group.self_cancel",
                                       "group.timeout",
                                       "group.cancelled",
                                       "drain",
                                       "drain.failure",
                                       "drain.source",
                                       "exactly_once",
                                       "exactly_once.again",
                                       "exactly_once.equal",
                                       "exactly_once.all",
                                       "source_open",
                                       "end_time",
                                       "end_time.empty",
                                       "end_time.idle",
                                       "end_time.full_queue",
                                       "nothing_after_end",
                                       "nothing_after_end.cancelled",
                                       "nothing_after_end.closed",
                                       "tasks",
                                       "tasks.cancelled",
                                       "tasks.closed",
                                       "tasks.abandoned",
                                       "unread",
                                       "context"};

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

Exercise exercise_with_all_checks() {
  Exercise exercise;
  exercise.slug = "made-up";
  exercise.config = {{"checks", json::array()}, {"report_rules", {{"results", "R1"}}}};
  for (const char* name : check_names) {
    exercise.config["checks"].push_back({{"name", name}, {"rule", name}});
  }
  exercise.golden = json::object();
  return exercise;
}

Case pool_case(std::size_t items, json changes) {
  json data = {{"name", "made up"},     {"workers", 2},      {"queue_size", 2},
               {"item_timeout", 1.0},   {"metrics", "none"}, {"rules", {"R0"}},
               {"items", json::array()}};
  for (std::size_t item = 0; item < items; ++item) {
    data["items"].push_back(item);
  }
  data.update(changes);
  return {.name = "made up", .data = data};
}

Event at(double seconds, const std::string& name, json fields) {
  return {.time_ns = from_seconds(seconds), .name = name, .fields = std::move(fields)};
}

Event pull(double seconds, int item, int k) {
  return at(seconds, "pull", {{"item", item}, {"k", k}});
}

Event start(double seconds, int item, int n) {
  return at(seconds, "attempt_start", {{"item", item}, {"n", n}});
}

Event end(double seconds, int item, const std::string& how, int n) {
  return at(seconds, "attempt_end", {{"item", item}, {"n", n}, {"how", how}});
}

Event cancel(double seconds, int item, int count, int n) {
  return at(seconds, "cancel_seen", {{"item", item}, {"n", n}, {"count", count}});
}

Event yield(double seconds, int result) { return at(seconds, "yield", {{"result", result}}); }

Event metrics(double seconds, const std::string& event, const json& detail) {
  return at(seconds, "metrics", {{"event", event}, {"detail", detail}});
}

RunLog run_of(std::vector<Event> events, const Group& group) {
  RunLog log;
  log.schedule = "fifo";
  log.complete = true;
  std::vector<int> results;
  std::map<std::string, int> attempts;
  for (const Event& event : events) {
    if (event.name == "yield") {
      results.push_back(event.fields.at("result").get<int>());
    } else if (event.name == "attempt_start") {
      ++attempts[std::to_string(event.fields.at("item").get<int>())];
    }
  }
  std::sort(results.begin(), results.end());
  std::vector<std::string> types;
  std::vector<std::string> messages;
  json members = json::array();
  for (const auto& [type, message] : group) {
    types.push_back(type);
    messages.push_back(message);
    members.push_back(json::array({type, message}));
  }
  log.report = {{"results", results},
                {"attempts", attempts},
                {"outcome", group.empty() ? "ok" : "ExceptionGroup"},
                {"group_size", group.size()},
                {"group_types", sorted(types)},
                {"group_messages", sorted(messages)},
                {"lead_ok", true},
                {"ctx_ok", true},
                {"task_delta", 0}};
  log.observed = {{"group", std::move(members)}};
  log.events = std::move(events);
  return log;
}

CaseRun finished(RunLog log) {
  CaseRun run;
  run.runs.push_back(std::move(log));
  run.finished = true;
  return run;
}

std::set<std::string> failed_checks(const Case& test_case, RunLog log) {
  const Judgement judgement =
      judge(exercise_with_all_checks(), test_case, finished(std::move(log)));
  std::set<std::string> names;
  if (judgement.summary.starts_with("the submission interfered")) {
    names.insert(judgement.summary);  // the events of a test have to be readable
  }
  for (const Violation& violation : judgement.violations) {
    names.insert(violation.check);
  }
  return names;
}

std::set<std::string> found_by(Findings (*check)(const PoolRun&), const Case& test_case,
                               const RunLog& log) {
  std::set<std::string> names;
  for (const Violation& violation : check(read_pool_run(test_case.data, json::object(), log))) {
    names.insert(violation.check);
  }
  return names;
}

}  // namespace driver::testing_support
