// SPDX-License-Identifier: MIT
//
// Checks of the metrics callback: one call for each success, retry and final failure, and no other.

#include "driver/judge/slots.hpp"
#include "driver/judge/trace_check.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace driver {
namespace {

/// More findings than this say nothing new.
constexpr std::size_t enough = 20;

std::string call_text(const std::string& event, const std::string& detail) {
  return event + "(" + detail + ")";
}

/// Adds the forms of the call for one outcome. What has no repr() may be left out, or reported with
/// any stand-in.
void add_forms(Slot& slot, const Outcome& outcome, const SettledAttempt& settled,
               const PoolSetup& setup) {
  if (outcome.kind == Outcome::Kind::aborted) {
    slot.is_optional = true;
    return;
  }
  const bool is_ok = outcome.kind == Outcome::Kind::ok;
  std::vector<std::string> events = {"ok"};
  if (!is_ok) {
    events = settled.is_unique
                 ? std::vector<std::string>{settled.next != nullptr ? "retry" : setup.failure_event}
                 : std::vector<std::string>{"retry", setup.failure_event};
  }
  const bool is_about_item = is_ok || setup.metrics_take_items;
  const bool has_repr =
      setup.metrics_take_items || (is_ok ? !setup.has_bad_repr : outcome.type != "Unprintable");
  for (const std::string& event : events) {
    if (has_repr) {
      slot.forms.push_back(
          call_text(event, is_about_item ? std::to_string(settled.attempt->item) : repr(outcome)));
    } else {
      slot.is_optional = true;
      slot.any_of_kind.push_back(event + "(");
    }
  }
}

std::vector<Slot> expected_calls(const PoolRun& run) {
  std::vector<Slot> slots;
  for (const SettledAttempt& settled : run.history.attempts) {
    Slot& slot = slots.emplace_back();
    slot.is_optional = !settled.attempt->end;
    for (const Outcome& outcome : settled.outcomes) {
      add_forms(slot, outcome, settled, run.setup);
    }
  }
  return slots;
}

std::string part_of(const std::string& event) {
  return event == "ok" || event == "retry" ? "metrics." + event : "metrics.failure";
}

/// A call is missing: one that came in its place, at the same instant, shows what went wrong.
void report_missing(const Slot& slot, const SettledAttempt& settled, std::vector<std::size_t>& rest,
                    const PoolRun& run, Findings& findings) {
  const std::vector<MetricsCall>& calls = run.trace.metrics;
  const std::string& wanted = slot.forms.front();
  const Nanoseconds at = settled.attempt->end->time;
  const auto instead = std::find_if(rest.begin(), rest.end(),
                                    [&](std::size_t index) { return calls[index].at.time == at; });
  if (instead == rest.end()) {
    findings.push_back(finding("metrics", at,
                               "metrics is not called with " + wanted + " for attempt " +
                                   std::to_string(settled.attempt->number) + " at item " +
                                   std::to_string(settled.attempt->item),
                               wanted, nullptr));
    return;
  }
  const MetricsCall& call = calls[*instead];
  const std::string actual = call_text(call.event, call.detail);
  const bool same_event = wanted.starts_with(call.event + "(");
  findings.push_back(
      finding(same_event ? part_of(call.event) : part_of(wanted.substr(0, wanted.find('('))), at,
              "metrics is called with " + actual + " instead of " + wanted, wanted, actual));
  rest.erase(instead);
}

/// Calls with equal texts cannot be told apart, so they are counted: the first retry needs one of
/// them before it, the second two, and so on.
void check_retry_order(const std::vector<Slot>& slots, const std::vector<std::string>& texts,
                       const PoolRun& run, Findings& findings) {
  std::map<std::string, std::vector<std::size_t>> calls;
  for (std::size_t index = 0; index < texts.size(); ++index) {
    calls[texts[index]].push_back(run.trace.metrics[index].at.position);
  }
  std::map<std::string, std::vector<const Attempt*>> retries;
  for (std::size_t index = 0; index < slots.size(); ++index) {
    const Attempt* next = run.history.attempts[index].next;
    if (next != nullptr && slots[index].matched) {
      retries[texts[*slots[index].matched]].push_back(next);
    }
  }
  for (auto& [text, starts] : retries) {
    std::sort(starts.begin(), starts.end(), [](const Attempt* left, const Attempt* right) {
      return left->start.position < right->start.position;
    });
    for (std::size_t index = 0; index < starts.size(); ++index) {
      if (calls.at(text).at(index) > starts[index]->start.position) {
        findings.push_back(finding("metrics.order", starts[index]->start.time,
                                   text + " is reported after the retry of item " +
                                       std::to_string(starts[index]->item) + " has started"));
      }
    }
  }
}

}  // namespace

/// The metrics calls are not those that the attempts imply. Left open: at which moment "ok" and
/// "failure" are reported, the calls that a failing repr() prevents, what an attempt counts as at a
/// tie, and whether a failure at one of several equal items was the last.
Findings check_metrics(const PoolRun& run) {
  const std::vector<MetricsCall>& calls = run.trace.metrics;
  Findings findings;
  std::vector<std::string> texts;
  for (const MetricsCall& call : calls) {
    texts.push_back(call_text(call.event, call.detail));
  }
  std::vector<Slot> slots = run.setup.metrics == "none" ? std::vector<Slot>() : expected_calls(run);
  std::vector<std::size_t> rest = fill(slots, texts);
  for (std::size_t index = 0; index < slots.size(); ++index) {
    if (findings.size() < enough && !slots[index].matched && !slots[index].is_optional) {
      report_missing(slots[index], run.history.attempts[index], rest, run, findings);
    }
  }
  for (const std::size_t index : rest) {
    findings.push_back(finding("metrics", calls[index].at.time,
                               "metrics is called with " + texts[index] +
                                   ", for which there is no reason, or once too often",
                               nullptr, texts[index]));
  }
  check_retry_order(slots, texts, run, findings);
  return findings;
}

}  // namespace driver
