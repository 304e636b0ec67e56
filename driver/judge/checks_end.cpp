// SPDX-License-Identifier: MIT
//
// Checks of the end of a run: when it comes, and what may be left behind it.

#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace driver {
namespace {

/// The last instant at which the run may have had something to wait for.
Nanoseconds last_reason(const PoolRun& run) {
  const PoolTrace& trace = run.trace;
  Nanoseconds last = trace.last_before_end ? trace.last_before_end->time : 0;
  if (!trace.yields.empty()) {
    last = std::max(last, trace.yields.back().at.time + run.setup.caller_delay.value_or(0));
  }
  if (trace.source_woken) {
    last = std::max(last, trace.source_woken->time + run.setup.source_linger);
  }
  return last;
}

std::string late_part(const PoolRun& run) {
  const PoolTrace& trace = run.trace;
  if (trace.pulls.empty()) {
    return "end_time.empty";
  }
  if (!run.history.likely_stop) {
    return "end_time.idle";
  }
  const bool waits_on_source =
      !trace.nexts.empty() && trace.nexts.back().position > trace.pulls.back().at.position;
  return waits_on_source ? "end_time" : "end_time.full_queue";
}

/// How the caller left decides which rule the tasks that are left break.
std::string with_leaving(const std::string& check, const PoolTrace& trace) {
  if (trace.caller_cancelled) {
    return check + ".cancelled";
  }
  return trace.caller_closed ? check + ".closed" : check;
}

}  // namespace

/// The run ends at a later instant than the last thing it can have waited for. Left open: the pause
/// of a slow caller after its last result, and a woken source that takes its time without a sign.
Findings check_end_time(const PoolRun& run) {
  if (!run.trace.end) {
    return {};
  }
  const Nanoseconds last = last_reason(run);
  if (run.trace.end->time <= last + rounding) {
    return {};
  }
  return {finding(late_part(run), run.trace.end->time,
                  "run ends at " + seconds(run.trace.end->time) +
                      " although there was nothing to wait for since " + seconds(last),
                  seconds(last), seconds(run.trace.end->time))};
}

/// Something still happens after the run has ended. Left open: what the driver itself does then,
/// such as closing its own source.
Findings check_nothing_after_end(const PoolRun& run) {
  constexpr std::array<std::string_view, 7> work = {
      "next", "pull", "attempt_start", "attempt_end", "cancel_seen", "yield", "metrics"};
  if (!run.trace.end) {
    return {};
  }
  const std::vector<Event>& events = run.log.events;
  for (std::size_t index = run.trace.end->position + 1; index < events.size(); ++index) {
    if (std::find(work.begin(), work.end(), events[index].name) != work.end()) {
      return {finding(with_leaving("nothing_after_end", run.trace), events[index].time_ns,
                      "the pool is still at work after run has ended: " + events[index].name,
                      nullptr, events[index].name)};
    }
  }
  return {};
}

/// Tasks are left at the instant at which the run ends. Whatever the reason for the end, a right
/// pool has waited for all of them. (A part "abandoned" when the cause is an attempt that was
/// cancelled three times.)
Findings check_tasks(const PoolRun& run) {
  Findings findings;
  const std::string check = with_leaving("tasks", run.trace);
  for (const Attempt& attempt : run.trace.attempts) {
    if (run.trace.end && (!attempt.end || attempt.end->position > run.trace.end->position)) {
      findings.push_back(
          finding(attempt.cancels.size() >= 3 ? "tasks.abandoned" : check, run.trace.end->time,
                  "run ends while attempt " + std::to_string(attempt.number) + " at item " +
                      std::to_string(attempt.item) + " is still running"));
    }
  }
  for (const Event& event : run.log.events) {
    if (event.name == "task_left") {
      findings.push_back(finding(check, event.time_ns,
                                 "a task is left when run ends: " +
                                     event.fields.value("name", std::string("without a name"))));
    }
  }
  const nlohmann::json delta = run.log.report.value("task_delta", nlohmann::json(0));
  if (findings.empty() && delta != 0) {
    findings.push_back(finding(check, std::nullopt, "tasks are left when run ends", 0, delta));
  }
  return findings;
}

/// The source is closed before the run has ended: it belongs to the caller.
Findings check_source_open(const PoolRun& run) {
  const auto& closed = run.trace.source_closed;
  if (!closed || (run.trace.end && closed->position > run.trace.end->position)) {
    return {};
  }
  return {finding("source_open", closed->time,
                  "the pool closes the source, which the caller owns and may go on with")};
}

/// A task ended with an exception that nobody looked at.
Findings check_unread(const PoolRun& run) {
  Findings findings;
  for (const Event& event : run.log.events) {
    if (event.name == "unread_exception") {
      findings.push_back(finding("unread", event.time_ns,
                                 "nobody reads the exception of a finished task: " +
                                     event.fields.value("what", std::string())));
    }
  }
  return findings;
}

/// A handler does not read back the context value that it set: attempts share a context.
Findings check_context(const PoolRun& run) {
  if (run.log.report.value("ctx_ok", true) && run.log.report.value("isolated", true)) {
    return {};
  }
  return {finding("context", std::nullopt,
                  "an attempt sees the context value of another one; each needs a task of its own",
                  true, false)};
}

}  // namespace driver
