// SPDX-License-Identifier: MIT
//
// A chain of questions; the first that has an answer decides.

#include "driver/judge/process_verdict.hpp"

#include "driver/core/wait_status.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <sstream>
#include <sys/wait.h>

namespace driver {
namespace {

std::string text_in(const nlohmann::json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) {
    return {};
  }
  const nlohmann::json& value = object.at(key);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

struct FatalRun {
  std::size_t index = 0;
  const Fatal* fatal = nullptr;
};

FatalRun find_fatal(const CaseRun& run, std::string_view kind) {
  for (std::size_t index = 0; index < run.runs.size(); ++index) {
    if (run.runs[index].fatal && run.runs[index].fatal->kind == kind) {
      return {index, &*run.runs[index].fatal};
    }
  }
  return {};
}

Judgement verdict(Verdict verdict, std::string summary, std::size_t run) {
  return {.verdict = verdict, .violations = {}, .summary = std::move(summary), .run = run};
}

/// Index of the run during which the process ended.
std::size_t last_run(const CaseRun& run) { return run.runs.empty() ? 0 : run.runs.size() - 1; }

bool was_killed_by(const CaseRun& run, int signal) {
  return WIFSIGNALED(run.wait_status) && WTERMSIG(run.wait_status) == signal;
}

std::optional<Judgement> judge_kills(const CaseRun& run) {
  if (run.output_limit) {
    return verdict(Verdict::output_limit, "it printed more than it may, and was ended",
                   last_run(run));
  }
  if (!run.sleeps_in.empty()) {
    return verdict(Verdict::blocked,
                   "the thread sleeps in " + run.sleeps_in + ", so that no other task can run",
                   last_run(run));
  }
  if (!run.exited_on_time) {
    return verdict(Verdict::time_limit, "it did not end in time, and was ended", last_run(run));
  }
  // The hard limit, a second above the one that a submission can ignore.
  const bool killed = was_killed_by(run, SIGKILL) && !run.protocol_error;
  if (was_killed_by(run, SIGXCPU) || (killed && run.cpu_ms >= run.cpu_limit_ms)) {
    return verdict(Verdict::time_limit,
                   "it used more processor time than it may: a loop that never waits?",
                   last_run(run));
  }
  return std::nullopt;
}

std::optional<Judgement> judge_memory(const CaseRun& run) {
  if (const FatalRun found = find_fatal(run, "memory"); found.fatal != nullptr) {
    return verdict(Verdict::memory,
                   "it needs more memory than the limit of " +
                       text_in(found.fatal->detail, "limit_mb") + " MB",
                   found.index);
  }
  if (sanitizer_summary(run.stderr_text).find("out-of-memory") != std::string::npos) {
    return verdict(Verdict::memory, "it needs more memory than it may use", last_run(run));
  }
  return std::nullopt;
}

/// The last line on stderr says why a program aborted, such as a failed assertion.
std::string last_line(const std::string& text) {
  constexpr std::size_t most = 200;
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    last = line.empty() ? last : line;
  }
  last.erase(0, std::min(last.find_first_not_of(' '), last.size()));
  return last.size() > most ? std::string() : last;
}

std::optional<Judgement> judge_crash(const CaseRun& run) {
  const FatalRun found = find_fatal(run, "crash");
  const std::string sanitizer = run.finished ? "" : sanitizer_summary(run.stderr_text);
  const bool signalled =
      WIFSIGNALED(run.wait_status) && !(run.protocol_error && was_killed_by(run, SIGKILL));
  if (found.fatal == nullptr && sanitizer.empty() && !signalled) {
    return std::nullopt;
  }
  std::string how = sanitizer;
  if (how.empty() && WIFSIGNALED(run.wait_status)) {
    how = describe_wait_status(run.wait_status);
  }
  std::string what = found.fatal == nullptr ? "" : text_in(found.fatal->detail, "what");
  if (what.empty() && was_killed_by(run, SIGABRT)) {
    what = last_line(run.stderr_text);
  }
  if (!what.empty() && what != how) {
    how += (how.empty() ? "" : ": ") + what;
  }
  return verdict(Verdict::crash, how.empty() ? "it crashed" : how,
                 found.fatal == nullptr ? last_run(run) : found.index);
}

std::optional<Judgement> judge_tampering(const CaseRun& run) {
  return run.protocol_error ? std::optional(tampering(*run.protocol_error, last_run(run)))
                            : std::nullopt;
}

/// Who waits for what, as "name waits for thing", in one line.
std::string waiting_tasks(const nlohmann::json& detail) {
  std::string text;
  if (!detail.is_object() || !detail.contains("tasks") || !detail.at("tasks").is_array()) {
    return text;
  }
  for (const nlohmann::json& task : detail.at("tasks")) {
    const std::string thing = text_in(task, "waits_for");
    text += (text.empty() ? ": " : ", ") + text_in(task, "name") +
            (thing.empty() ? "" : " waits for " + thing);
  }
  return text;
}

std::string fatal_summary(const Fatal& fatal) {
  const nlohmann::json& detail = fatal.detail;
  if (fatal.kind == "exited") {
    return "the submission ended the program with " + text_in(detail, "call") + "(" +
           text_in(detail, "code") + ")";
  }
  if (fatal.kind == "deadlock") {
    return "nothing can happen any more, and run has not ended" + waiting_tasks(detail);
  }
  if (fatal.kind == "livelock" && detail.contains("steps")) {
    return "no end after " + text_in(detail, "steps") + " steps: tasks wake each other for ever";
  }
  if (fatal.kind == "blocked") {
    return "the thread is blocked by " + text_in(detail, "call") +
           ", so that no other task can run";
  }
  const std::string what = text_in(detail, "what");
  if (fatal.kind == "escaped") {
    return "an exception came out where none may: " + what;
  }
  return what.empty() ? "not implemented" : what;
}

struct Kind {
  std::string_view name;
  Verdict verdict;
};

constexpr std::array fatal_kinds = {
    Kind{"escaped", Verdict::wrong},     Kind{"exited", Verdict::exited},
    Kind{"deadlock", Verdict::deadlock}, Kind{"livelock", Verdict::livelock},
    Kind{"blocked", Verdict::blocked},   Kind{"not_implemented", Verdict::not_implemented}};

std::optional<Judgement> judge_fatals(const CaseRun& run) {
  for (const Kind& kind : fatal_kinds) {
    if (const FatalRun found = find_fatal(run, kind.name); found.fatal != nullptr) {
      return verdict(kind.verdict, fatal_summary(*found.fatal), found.index);
    }
  }
  return std::nullopt;
}

/// Nothing has gone wrong that anybody noticed; is there positive evidence that nothing has?
std::optional<Judgement> judge_evidence(const CaseRun& run) {
  for (std::size_t index = 0; index < run.runs.size(); ++index) {
    if (run.runs[index].fatal) {
      const Fatal& fatal = *run.runs[index].fatal;
      const std::string what = text_in(fatal.detail, "what");
      return tampering("the runner reports " + fatal.kind + (what.empty() ? "" : ": " + what),
                       index);
    }
  }
  if (!run.finished) {
    return verdict(Verdict::exited,
                   "the program ended before its runs were complete, with " +
                       describe_wait_status(run.wait_status),
                   last_run(run));
  }
  const bool all_complete =
      std::all_of(run.runs.begin(), run.runs.end(), [](const RunLog& log) { return log.complete; });
  if (run.runs.empty() || !all_complete) {
    return tampering("not every run was reported", last_run(run));
  }
  return std::nullopt;
}

}  // namespace

Judgement tampering(const std::string& what, std::size_t run) {
  return verdict(Verdict::wrong, "the submission interfered with the grading: " + what, run);
}

std::optional<Judgement> judge_process(const CaseRun& run) {
  for (const auto question :
       {judge_kills, judge_memory, judge_crash, judge_tampering, judge_fatals, judge_evidence}) {
    if (auto answer = question(run)) {
      return answer;
    }
  }
  return std::nullopt;
}

std::string sanitizer_summary(std::string_view text) {
  std::size_t begin = std::string_view::npos;
  for (const std::string_view tool :
       {"SUMMARY: AddressSanitizer: ", "SUMMARY: UndefinedBehaviorSanitizer: "}) {
    begin = std::min(begin, text.find(tool));
  }
  if (begin == std::string_view::npos) {
    return {};
  }
  const std::string_view label = "SUMMARY: ";
  const std::string_view line =
      text.substr(begin + label.size(), text.find('\n', begin) - begin - label.size());
  std::istringstream words{std::string(line)};
  std::string summary;
  for (std::string word; words >> word;) {
    const bool is_address = word.front() == '(' || word.back() == ')';
    word.erase(0, word.find_last_of('/') + 1);
    summary += is_address || word.empty() ? "" : (summary.empty() ? "" : " ") + word;
  }
  return summary;
}

}  // namespace driver
