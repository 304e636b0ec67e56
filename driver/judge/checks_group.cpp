// SPDX-License-Identifier: MIT
//
// Checks of how the run ends for its caller: normally, or with one group of everything recorded.

#include "driver/judge/slots.hpp"
#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace driver {
namespace {

constexpr const char* source_cancelled = "RuntimeError: source cancelled itself";

/// What should be in the group, with the attempt or the failure of the source that it comes from.
struct Expected {
  std::vector<Slot> slots;
  std::vector<const SettledAttempt*> attempts;  ///< Null for the source; parallel to `slots`.
};

void expect_attempts(const PoolRun& run, Expected& expected) {
  for (const SettledAttempt& settled : run.history.attempts) {
    if (settled.next != nullptr || !settled.can_fail()) {
      continue;
    }
    Slot slot;
    for (const Outcome& outcome : settled.outcomes) {
      if (outcome.kind == Outcome::Kind::failure) {
        slot.forms.push_back(describe(outcome));
      }
    }
    slot.is_optional = !settled.must_fail() || !settled.must_be_last(run.setup);
    expected.slots.push_back(slot);
    expected.attempts.push_back(&settled);
  }
}

/// A cancellation of the source counts as a failure only when no stop came first; in one and the
/// same instant, either came first. Any other exception of the source counts at any time.
void expect_source(const PoolRun& run, Expected& expected) {
  for (const SourceFailure& failure : run.trace.source_failures) {
    Slot slot;
    if (failure.error == "CancelledError") {
      const auto& sure = run.history.sure_stop_by_others;
      const auto& likely = run.history.likely_stop_by_others;
      if (sure && *sure < failure.at.time) {
        continue;
      }
      slot.forms = {source_cancelled};
      slot.is_optional = likely && *likely <= failure.at.time;
    } else {
      slot.forms = {failure.error + ": " + failure.error + " from the source",
                    failure.error + ": " + failure.error + " from the woken source"};
    }
    expected.slots.push_back(slot);
    expected.attempts.push_back(nullptr);
  }
}

/// The recorded exceptions as "Class: message"; none when the runner does not tell.
std::optional<std::vector<std::string>> recorded(const RunLog& log) {
  const nlohmann::json group = log.observed.value("group", nlohmann::json());
  if (!group.is_array()) {
    return std::nullopt;
  }
  std::vector<std::string> texts;
  for (const nlohmann::json& member : group) {
    if (!member.is_array() || member.size() != 2 || !member[0].is_string() ||
        !member[1].is_string()) {
      throw BadObservation("\"group\" holds something that is not [class, message]");
    }
    texts.push_back(member[0].get<std::string>() + ": " + member[1].get<std::string>());
  }
  return texts;
}

std::string missing_part(const SettledAttempt* settled, const Slot& slot, bool group_is_empty) {
  if (settled == nullptr) {
    return slot.forms.front() == source_cancelled ? "source_failure.cancelled" : "source_failure";
  }
  const Outcome& failure = settled->outcomes.back();
  if (failure == self_cancel_failure()) {
    return "group.self_cancel";
  }
  if (failure == timeout_failure()) {
    return "group.timeout";
  }
  return group_is_empty ? "group.none" : settled->attempt->number > 1 ? "group.last" : "group.lost";
}

std::string extra_part(const std::string& text, const PoolRun& run) {
  if (text == source_cancelled) {
    return "source_failure.woken";
  }
  if (text.starts_with("ExceptionGroup: ")) {
    return "group";
  }
  for (const SettledAttempt& settled : run.history.attempts) {
    const Attempt& attempt = *settled.attempt;
    const std::string tail =
        " from item " + std::to_string(attempt.item) + " attempt " + std::to_string(attempt.number);
    if (text.ends_with(tail)) {
      const std::size_t last = run.trace.attempts_of.at(attempt.item).back();
      return run.history.attempts[last].must_be_ok() ? "group.recovered" : "group.last";
    }
  }
  return "group";
}

void check_members(const PoolRun& run, const std::vector<std::string>& texts, Findings& findings) {
  Expected expected;
  expect_attempts(run, expected);
  expect_source(run, expected);
  const std::vector<std::size_t> rest = fill(expected.slots, texts);
  for (std::size_t index = 0; index < expected.slots.size(); ++index) {
    const Slot& slot = expected.slots[index];
    if (slot.matched || slot.is_optional) {
      continue;
    }
    const SettledAttempt* settled = expected.attempts[index];
    findings.push_back(
        finding(missing_part(settled, slot, texts.empty()),
                settled == nullptr ? std::nullopt : std::optional(settled->attempt->end->time),
                (settled == nullptr
                     ? std::string("the failure of the source")
                     : "the final failure of item " + std::to_string(settled->attempt->item)) +
                    " is not in the group: " + slot.forms.front(),
                slot.forms.front(), texts));
  }
  for (const std::size_t index : rest) {
    findings.push_back(
        finding(extra_part(texts[index], run), std::nullopt,
                "the group holds " + texts[index] +
                    ", which is not the final failure of anything, or holds it twice",
                nullptr, texts[index]));
  }
}

bool any_self_cancel(const PoolRun& run) {
  return std::any_of(run.trace.attempts.begin(), run.trace.attempts.end(),
                     [](const Attempt& attempt) { return attempt.how == "cancelled itself"; });
}

/// With failures recorded, run must raise their group; without, it must end normally.
void check_outcome(const PoolRun& run, const std::string& outcome, bool has_members,
                   Findings& findings) {
  if (outcome == "ok" && has_members) {
    findings.push_back(finding("group.none", std::nullopt,
                               "run ends normally although failures were recorded",
                               "ExceptionGroup", outcome));
  } else if (outcome == "ExceptionGroup" && !has_members) {
    findings.push_back(finding("group.empty", std::nullopt,
                               "run raises an empty group; nothing was recorded", "ok", outcome));
  } else if (outcome == "CancelledError") {
    findings.push_back(
        finding(any_self_cancel(run) ? "group.cancelled" : "source_failure.cancelled", std::nullopt,
                "run ends as cancelled, and nobody cancelled it", nullptr, outcome));
  } else if (outcome != "ok" && outcome != "ExceptionGroup") {
    findings.push_back(finding("group", std::nullopt,
                               "run raises " + outcome + " instead of a group", "ExceptionGroup",
                               outcome));
  }
}

}  // namespace

/// The run does not end with exactly the final failures of its items and of its source. Left open:
/// what an attempt counts as at a tie, a cancellation of the source in the instant of a stop, and
/// which failures were the last at equal items. A caller that has left is told nothing.
Findings check_group(const PoolRun& run) {
  Findings findings;
  // The report of one statement has it, that of another leaves it to what was observed.
  const nlohmann::json outcome =
      run.log.report.value("outcome", run.log.observed.value("outcome", nlohmann::json()));
  if (run.trace.caller_left() || !outcome.is_string()) {
    return findings;
  }
  const auto texts = recorded(run.log);
  if (texts && (outcome == "ok" || outcome == "ExceptionGroup")) {
    check_members(run, *texts, findings);
  }
  const bool has_members = texts ? !texts->empty() : run.log.report.value("group_size", 0) > 0;
  check_outcome(run, outcome.get<std::string>(), has_members, findings);
  return findings;
}

}  // namespace driver
