// SPDX-License-Identifier: MIT
//
// Checks of stops: what is still pulled, what is still handled, and what nobody may lose.

#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace driver {
namespace {

/// The pulled items that no attempt was made at, as indices into the pulls. Of equal items the last
/// ones are taken to be those.
std::vector<std::size_t> unattempted(const PoolRun& run) {
  std::unordered_map<std::int64_t, std::size_t> seen;
  std::vector<std::size_t> indices;
  for (std::size_t index = 0; index < run.trace.pulls.size(); ++index) {
    const std::int64_t item = run.trace.pulls[index].item;
    const auto attempts = run.trace.attempts_of.find(item);
    const std::size_t count = attempts == run.trace.attempts_of.end() ? 0 : attempts->second.size();
    if (++seen[item] > count) {
      indices.push_back(index);
    }
  }
  return indices;
}

/// Whether the producer may have had the last pulled item in its hand when the stop came: it had
/// neither asked for another one, nor heard that there is none, at an earlier instant.
bool may_hold_last(const PoolTrace& trace, Nanoseconds stop) {
  const std::size_t pulled = trace.pulls.back().at.position;
  const auto went_on = [&](const Moment& at) { return at.position > pulled && at.time < stop; };
  return std::none_of(trace.nexts.begin(), trace.nexts.end(), went_on) &&
         !(trace.source_end && went_on(*trace.source_end)) &&
         std::none_of(trace.source_failures.begin(), trace.source_failures.end(),
                      [&](const SourceFailure& failure) { return went_on(failure.at); });
}

std::string cause_text(StopInstant::Cause cause) {
  switch (cause) {
    case StopInstant::Cause::request:
      return "the stop was requested";
    case StopInstant::Cause::failure:
      return "an item failed for good";
    case StopInstant::Cause::source:
      return "the source failed";
  }
  return {};
}

std::string with_cause(const std::string& check, StopInstant::Cause cause) {
  return check + (cause == StopInstant::Cause::request   ? ""
                  : cause == StopInstant::Cause::failure ? ".failure"
                                                         : ".source");
}

/// When requests for items are not recorded, the items themselves tell: one may still come from the
/// request that was under way when the stop came.
std::vector<Moment> pulls_after(const PoolTrace& trace, Nanoseconds stop) {
  std::vector<Moment> late;
  for (const Moment& next : trace.nexts) {
    if (next.time > stop) {
      late.push_back(next);
    }
  }
  if (!trace.nexts.empty()) {
    return late;
  }
  for (const Pull& pull : trace.pulls) {
    if (pull.at.time > stop) {
      late.push_back(pull.at);
    }
  }
  late.erase(late.begin(), late.begin() + (late.empty() ? 0 : 1));
  return late;
}

/// When the source, which was waiting when the stop came, went on by itself: it was not woken.
std::optional<Moment> unwoken(const PoolTrace& trace, Nanoseconds stop) {
  std::vector<Moment> signs;
  for (const Pull& pull : trace.pulls) {
    signs.push_back(pull.at);
  }
  for (const SourceFailure& failure : trace.source_failures) {
    signs.push_back(failure.at);
  }
  if (trace.source_end) {
    signs.push_back(*trace.source_end);
  }
  std::erase_if(signs, [&](const Moment& sign) { return sign.time <= stop; });
  if (signs.empty() || trace.source_woken) {
    return std::nullopt;
  }
  return *std::min_element(signs.begin(), signs.end(), [](const Moment& left, const Moment& right) {
    return left.position < right.position;
  });
}

/// Whether an item failed for good, so that a pool may have taken that for a stop.
bool any_final_failure(const PoolRun& run) {
  return std::any_of(
      run.history.attempts.begin(), run.history.attempts.end(), [](const SettledAttempt& settled) {
        return settled.next == nullptr && settled.attempt->end && settled.must_fail();
      });
}

std::string item_list(const PoolRun& run, const std::vector<std::size_t>& pulls) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t index = 0; index < std::min(pulls.size(), shown); ++index) {
    text += (index == 0 ? "item " : ", item ") + std::to_string(run.trace.pulls[pulls[index]].item);
  }
  return text + (pulls.size() > shown ? " and more" : "");
}

}  // namespace

/// Something is pulled, handled or yielded although the stop was requested before run was iterated,
/// or run does not end at once.
Findings check_stop_before(const PoolRun& run) {
  const PoolTrace& trace = run.trace;
  if (!run.setup.stops_before) {
    return {};
  }
  Findings findings;
  if (!trace.nexts.empty() || !trace.pulls.empty()) {
    const Moment first = trace.nexts.empty() ? trace.pulls[0].at : trace.nexts[0];
    findings.push_back(finding("stop_before", first.time,
                               "the source is asked for an item although request_stop() was called "
                               "before run was iterated",
                               0, std::max(trace.nexts.size(), trace.pulls.size())));
  }
  if (trace.end && !trace.stops.empty() && trace.end->time > trace.stops[0].at.time) {
    findings.push_back(finding("stop_before", trace.end->time,
                               "run does not end at once after a stop that came before it",
                               seconds(trace.stops[0].at.time), seconds(trace.end->time)));
  }
  return findings;
}

/// The source is asked for another item at a later instant than a stop; or a source that was
/// waiting when the stop came waits on, until it has an item or its end (a part "wake"). Left open:
/// the instant of the stop itself, and what a source does that was woken.
Findings check_stop(const PoolRun& run) {
  const auto& stop = run.history.sure_stop;
  if (!stop || run.setup.stops_before) {
    return {};
  }
  const std::vector<Moment> late = pulls_after(run.trace, stop->time);
  if (!late.empty()) {
    return {finding(with_cause("stop", stop->cause), late.front().time,
                    "the source is asked for another item after " + cause_text(stop->cause) +
                        " at " + seconds(stop->time),
                    seconds(stop->time), seconds(late.front().time))};
  }
  if (const auto sign = unwoken(run.trace, stop->time)) {
    return {finding("stop.wake", sign->time,
                    "the producer waits for the source until " + seconds(sign->time) +
                        ", although " + cause_text(stop->cause) + " at " + seconds(stop->time),
                    seconds(stop->time), seconds(sign->time))};
  }
  return {};
}

/// The source is asked again after it has thrown. The producer itself gets that exception, so the
/// order of events is safe. (Its parts "woken" and "cancelled" are findings of the check of the
/// group.)
Findings check_source_failure(const PoolRun& run) {
  if (run.trace.source_failures.empty()) {
    return {};
  }
  const SourceFailure& failure = run.trace.source_failures.front();
  const auto again =
      std::find_if(run.trace.nexts.begin(), run.trace.nexts.end(),
                   [&](const Moment& next) { return next.position > failure.at.position; });
  if (again == run.trace.nexts.end()) {
    return {};
  }
  return {finding("source_failure.again", again->time,
                  "the source is asked for another item after it threw " + failure.error)};
}

/// An item that was queued when the stop came is never handled. Left open: the one item that the
/// producer may have had in its hand, or was still being given, which is always the last one
/// pulled.
Findings check_drain(const PoolRun& run) {
  const auto& stop = run.history.likely_stop;
  std::vector<std::size_t> lost = unattempted(run);
  if (!stop || run.trace.caller_left() || lost.empty()) {
    return {};
  }
  const bool is_last_lost = lost.back() + 1 == run.trace.pulls.size();
  if (is_last_lost && may_hold_last(run.trace, stop->time)) {
    lost.pop_back();
  }
  if (lost.empty()) {
    return {};
  }
  return {finding(with_cause("drain", stop->cause), stop->time,
                  item_list(run, lost) + " was accepted before " + cause_text(stop->cause) +
                      " but never handled",
                  0, lost.size())};
}

/// Without a stop, an item of the source is not pulled, or pulled and never handled (a part
/// "failure" when an item had failed); or one is handled that was not pulled.
Findings check_exactly_once(const PoolRun& run) {
  const PoolTrace& trace = run.trace;
  Findings findings;
  for (const Attempt& attempt : trace.attempts) {
    if (!trace.pulls_of.contains(attempt.item)) {
      findings.push_back(
          finding("exactly_once", attempt.start.time,
                  "item " + std::to_string(attempt.item) + " is handled but was never pulled"));
    }
  }
  if (run.history.likely_stop || trace.caller_left()) {
    return findings;
  }
  const std::vector<std::size_t> lost = unattempted(run);
  const bool has_failure = any_final_failure(run);
  if (!lost.empty()) {
    const bool is_equal = !run.setup.is_unique(trace.pulls[lost.front()].item);
    findings.push_back(finding(has_failure ? "exactly_once.failure"
                               : is_equal  ? "exactly_once.equal"
                                           : "exactly_once",
                               trace.pulls[lost.front()].at.time,
                               item_list(run, lost) + " was pulled but never handled", 0,
                               lost.size()));
  }
  if (trace.end && trace.pulls.size() < run.setup.items) {
    findings.push_back(
        finding(has_failure ? "exactly_once.failure" : "exactly_once.all", trace.end->time,
                "run ends after " + std::to_string(trace.pulls.size()) + " of " +
                    std::to_string(run.setup.items) + " items, and nothing has stopped it",
                run.setup.items, trace.pulls.size()));
  }
  return findings;
}

}  // namespace driver
