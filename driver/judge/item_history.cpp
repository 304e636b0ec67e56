// SPDX-License-Identifier: MIT
//
// A retry shows that the attempt before it failed; a yield shows that an item succeeded. Attempts
// at items with equal values cannot be told apart, so they stay unsettled.

#include "driver/judge/item_history.hpp"

#include <algorithm>

namespace driver {
namespace {

bool has_kind(const std::vector<Outcome>& outcomes, Outcome::Kind kind) {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [&](const Outcome& outcome) { return outcome.kind == kind; });
}

/// Leaves out what cannot be, unless nothing would be left (a wrong pool may do anything).
void keep_if(std::vector<Outcome>& outcomes, bool keeps_ok) {
  std::vector<Outcome> kept;
  std::copy_if(
      outcomes.begin(), outcomes.end(), std::back_inserter(kept),
      [&](const Outcome& outcome) { return (outcome.kind == Outcome::Kind::ok) == keeps_ok; });
  if (!kept.empty()) {
    outcomes = std::move(kept);
  }
}

SettledAttempt settle_one(const Attempt& attempt, const PoolSetup& setup, const PoolTrace& trace) {
  SettledAttempt settled;
  settled.attempt = &attempt;
  settled.outcomes = outcomes_of(attempt, setup, trace);
  settled.is_unique = setup.is_unique(attempt.item);
  if (!settled.is_unique) {
    return settled;
  }
  const std::vector<std::size_t>& of_item = trace.attempts_of.at(attempt.item);
  if (static_cast<std::size_t>(attempt.number) < of_item.size()) {
    settled.next = &trace.attempts[of_item[static_cast<std::size_t>(attempt.number)]];
    keep_if(settled.outcomes, false);
  } else if (settled.outcomes.size() > 1) {
    keep_if(settled.outcomes, trace.yields_for(attempt.item * setup.result_factor) > 0);
  }
  return settled;
}

/// Keeps the earliest of all stops, and apart from it the earliest that the source did not cause.
void note(std::optional<StopInstant>& earliest, std::optional<Nanoseconds>& by_others,
          StopInstant stop) {
  if (!earliest || stop.time < earliest->time) {
    earliest = stop;
  }
  if (stop.cause != StopInstant::Cause::source) {
    by_others = std::min(by_others.value_or(stop.time), stop.time);
  }
}

void note_sure(ItemHistory& history, StopInstant stop) {
  note(history.sure_stop, history.sure_stop_by_others, stop);
}

void note_likely(ItemHistory& history, StopInstant stop) {
  note(history.likely_stop, history.likely_stop_by_others, stop);
}

/// The stops that were seen; those by the pool itself follow from the attempts.
void note_seen_stops(ItemHistory& history, const PoolTrace& trace) {
  std::vector<StopInstant> seen;
  for (const Stop& stop : trace.stops) {
    seen.push_back({.time = stop.at.time, .cause = StopInstant::Cause::request});
  }
  for (const SourceFailure& failure : trace.source_failures) {
    seen.push_back({.time = failure.at.time, .cause = StopInstant::Cause::source});
  }
  for (const StopInstant& stop : seen) {
    note_sure(history, stop);
    note_likely(history, stop);
  }
}

}  // namespace

bool SettledAttempt::can_be_ok() const { return has_kind(outcomes, Outcome::Kind::ok); }
bool SettledAttempt::can_be_aborted() const { return has_kind(outcomes, Outcome::Kind::aborted); }
bool SettledAttempt::can_fail() const { return has_kind(outcomes, Outcome::Kind::failure); }

bool SettledAttempt::must_be_last(const PoolSetup& setup) const {
  if (is_unique) {
    return next == nullptr;
  }
  return setup.max_retries == 0 ||
         std::all_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
           return outcome.kind != Outcome::Kind::failure ||
                  retry_of(outcome, setup) == Retry::never;
         });
}

ItemHistory settle(const PoolSetup& setup, const PoolTrace& trace) {
  ItemHistory history;
  history.attempts.reserve(trace.attempts.size());
  note_seen_stops(history, trace);
  for (const Attempt& attempt : trace.attempts) {
    history.attempts.push_back(settle_one(attempt, setup, trace));
    const SettledAttempt& settled = history.attempts.back();
    if (!setup.failures_stop || !attempt.end || settled.next != nullptr || !settled.can_fail()) {
      continue;
    }
    const StopInstant stop = {.time = attempt.end->time, .cause = StopInstant::Cause::failure};
    note_likely(history, stop);
    if (settled.must_fail() && settled.must_be_last(setup)) {
      note_sure(history, stop);
    }
  }
  return history;
}

}  // namespace driver
