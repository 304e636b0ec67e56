// SPDX-License-Identifier: MIT
//
// Checks of the producer and the workers: how much is pulled, queued and run at once.

#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace driver {
namespace {

/// The start, end or pull of something, in the order of events.
struct Step {
  enum class Kind { pull, start, end };
  Moment at;
  Kind kind = Kind::pull;
  std::int64_t item = 0;
  const Attempt* attempt = nullptr;
};

std::vector<Step> steps_of(const PoolTrace& trace) {
  std::vector<Step> steps;
  for (const Pull& pull : trace.pulls) {
    steps.push_back({.at = pull.at, .kind = Step::Kind::pull, .item = pull.item});
  }
  for (const Attempt& attempt : trace.attempts) {
    steps.push_back({attempt.start, Step::Kind::start, attempt.item, &attempt});
    if (attempt.end) {
      steps.push_back({*attempt.end, Step::Kind::end, attempt.item, &attempt});
    }
  }
  std::sort(steps.begin(), steps.end(), [](const Step& left, const Step& right) {
    return left.at.position < right.at.position;
  });
  return steps;
}

/// Counts pulled items whose handler has not been called. Of equal items it counts too few rather
/// than too many: a retry of one looks like the first attempt at another.
class Waiting {
 public:
  std::size_t count() const { return count_; }

  void take(const Step& step) {
    if (step.kind == Step::Kind::end) {
      return;
    }
    std::int64_t& balance = balances_[step.item];
    if (step.kind == Step::Kind::pull) {
      count_ += ++balance > 0 ? 1 : 0;
    } else {
      count_ -= balance-- > 0 ? 1 : 0;
    }
  }

 private:
  std::unordered_map<std::int64_t, std::int64_t> balances_;
  std::size_t count_ = 0;
};

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

/// The source is asked for an item while it is still being asked. One producer pulls; it awaits
/// each item before it asks for the next, so no right solution can do this.
Findings check_pull_overlap(const PoolRun& run) {
  Findings findings;
  for (const Moment& overlap : run.trace.overlaps) {
    findings.push_back(finding("pull_overlap", overlap.time,
                               "the source is asked for another item while it is still busy with "
                               "the last request; one producer must pull"));
  }
  return findings;
}

/// More handler calls run than there are workers. A worker starts a call only after its last one
/// has ended, and both are seen in that order whatever the schedule. (A part "abandoned" when one
/// of the calls was cancelled three times: its worker should still be waiting for it.)
Findings check_active_limit(const PoolRun& run) {
  Findings findings;
  std::set<const Attempt*> running;
  for (const Step& step : steps_of(run.trace)) {
    if (step.kind == Step::Kind::end) {
      running.erase(step.attempt);
    } else if (step.kind == Step::Kind::start) {
      running.insert(step.attempt);
    }
    if (step.kind != Step::Kind::start || running.size() <= run.setup.workers) {
      continue;
    }
    const bool abandoned = std::any_of(running.begin(), running.end(), [](const Attempt* attempt) {
      return attempt->cancels.size() >= 3;
    });
    findings.push_back(
        finding(abandoned ? "active_limit.abandoned" : "active_limit", step.at.time,
                abandoned ? "a worker goes on to item " + std::to_string(step.item) +
                                " although the attempt it cancelled three times is still running"
                          : plural(running.size(), "handler call") + " run at once, with " +
                                plural(run.setup.workers, "worker"),
                run.setup.workers, running.size()));
  }
  return findings;
}

/// A pulled item waits at the end of an instant while a worker has nothing to do. Left open: one
/// item after a stop (the producer's own may be dropped), everything once the caller has left, and
/// the order within an instant. A producer that pulls late is fine: what is not pulled cannot wait.
Findings check_full_use(const PoolRun& run) {
  const PoolTrace& trace = run.trace;
  const std::vector<Step> steps = steps_of(trace);
  const auto left = trace.caller_left();
  Waiting waiting;
  std::size_t running = 0;
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const Step& step = steps[index];
    waiting.take(step);
    running += step.kind == Step::Kind::start ? 1 : 0;
    running -= step.kind == Step::Kind::end ? 1 : 0;
    const bool instant_goes_on =
        index + 1 < steps.size() && steps[index + 1].at.time == step.at.time;
    if (instant_goes_on || (left && left->time <= step.at.time)) {
      continue;
    }
    const auto& stop = run.history.likely_stop;
    const std::size_t may_wait = stop && stop->time <= step.at.time ? 1 : 0;
    if (waiting.count() > may_wait && running < run.setup.workers) {
      return {finding(run.setup.caller_delay ? "full_use.slow_reader" : "full_use", step.at.time,
                      plural(waiting.count(), "pulled item") + " waiting while only " +
                          std::to_string(running) + " of " + plural(run.setup.workers, "worker") +
                          " runs a handler",
                      run.setup.workers, running)};
    }
  }
  return {};
}

/// An item is started at a later instant than one that was pulled after it. Left open: the order
/// within an instant, and equal items. Holds for every schedule: the queue decides who is next.
Findings check_fifo(const PoolRun& run) {
  const PoolTrace& trace = run.trace;
  const Attempt* latest = nullptr;
  for (const Pull& pull : trace.pulls) {
    const auto attempts = trace.attempts_of.find(pull.item);
    if (!run.setup.is_unique(pull.item) || attempts == trace.attempts_of.end()) {
      continue;
    }
    const Attempt& first = trace.attempts[attempts->second.front()];
    if (latest != nullptr && first.start.time < latest->start.time) {
      return {finding("fifo", latest->start.time,
                      "item " + std::to_string(latest->item) + " was pulled before item " +
                          std::to_string(first.item) + ", but is handled after it",
                      first.item, latest->item)};
    }
    latest = latest == nullptr || first.start.time > latest->start.time ? &first : latest;
  }
  return {};
}

/// More items are pulled and not finished (or not started, where the statement counts those) than
/// the queue, the workers and the producer can hold. An item is finished with its last attempt, so
/// the count never exceeds what a right pool holds; of equal items every attempt counts as a last
/// one. The report's own count, in which a failed item may stay for good, obeys the same bound: a
/// failure stops the pulling there. Left open where starts count: a slow machine, on which an
/// attempt may time out before its handler was called.
Findings check_lead(const PoolRun& run) {
  if (run.setup.lead_ends_at_start && run.log.is_late()) {
    return {};
  }
  Findings findings;
  const std::string counted = run.setup.lead_ends_at_start ? "started" : "finished";
  std::size_t pulled = 0;
  std::size_t finished = 0;
  Waiting waiting;
  for (const Step& step : steps_of(run.trace)) {
    pulled += step.kind == Step::Kind::pull ? 1 : 0;
    waiting.take(step);
    if (run.setup.lead_ends_at_start) {
      finished = pulled - waiting.count();
    } else if (step.kind == Step::Kind::end) {
      const std::vector<std::size_t>& all = run.trace.attempts_of.at(step.item);
      const bool is_last = static_cast<std::size_t>(step.attempt->number) == all.size();
      finished += is_last || !run.setup.is_unique(step.item) ? 1 : 0;
    }
    if (step.kind == Step::Kind::pull && pulled > finished + run.setup.lead_bound()) {
      findings.push_back(finding("lead", step.at.time,
                                 "item " + std::to_string(step.item) + " makes " +
                                     plural(pulled - finished, "item") + " pulled and not " +
                                     counted + "; queue_size + workers + 1 is " +
                                     std::to_string(run.setup.lead_bound()),
                                 run.setup.lead_bound(), pulled - finished));
    }
  }
  const nlohmann::json& report = run.log.report;
  const bool is_bounded = report.value("lead_ok", true) && report.value("bounded", true);
  if (findings.empty() && !is_bounded) {
    findings.push_back(
        finding("lead", std::nullopt,
                "more items were pulled and not " + counted + " than queue_size + workers + 1",
                run.setup.lead_bound(), report.value("max_lead", nlohmann::json())));
  }
  return findings;
}

}  // namespace driver
