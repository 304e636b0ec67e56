// SPDX-License-Identifier: MIT
//
// A few warm runners share the cases; a case that takes one down costs that case alone.

#include "driver/core/case_runs.hpp"

#include "driver/core/confine.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/judge.hpp"
#include "driver/core/process.hpp"
#include "driver/core/shrink.hpp"
#include "driver/protocol/schedule.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <regex>
#include <sys/wait.h>
#include <system_error>

namespace driver {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The verdict on a runner that was never ready: something in the submission runs before main.
Judgement judgement_of(const RunnerFailed& failure) {
  Judgement judgement;
  const std::optional<int> status = failure.wait_status();
  judgement.verdict = !status                ? Verdict::time_limit
                      : WIFSIGNALED(*status) ? Verdict::crash
                                             : Verdict::exited;
  judgement.summary = std::string("before the first case: ") + failure.what();
  return judgement;
}

/// A submission that loops or sleeps for ever does so in most cases. Once that is clear, a case
/// gets less time, which is still many times what any right solution needs; later, none at all.
constexpr std::size_t patience = 2;
constexpr int impatient_cpu_seconds = 1;
constexpr auto impatient_limit = std::chrono::seconds(20);
constexpr std::size_t most_endless = 10;

/// The runner of a submission, with its patience.
class Runner {
 public:
  explicit Runner(RunnerOptions options) : options_(std::move(options)) {
    process_.emplace(options_);
  }

  CaseRun run(const Case& test_case, const RunRequest& request) {
    return process_->run(test_case.data, request);
  }

  void note(const CheckedCase& checked) {
    const bool is_endless =
        checked.judgement.verdict == Verdict::time_limit || !checked.run.sleeps_in.empty();
    if (is_endless && ++endless_ == patience) {
      options_.limits["cpu_seconds"] = impatient_cpu_seconds;
      options_.case_limit = impatient_limit;
      process_.emplace(options_);
    }
    if (endless_ == most_endless && !given_up_) {
      given_up_ = checked.judgement;
      given_up_->violations.clear();
      given_up_->summary =
          "not run, because so many cases before it ended like this: " + given_up_->summary;
    }
  }

  /// The verdict on whatever is left, when there is no point in going on.
  const std::optional<Judgement>& given_up() const { return given_up_; }

 private:
  RunnerOptions options_;
  std::optional<RunnerProcess> process_;
  std::size_t endless_ = 0;
  std::optional<Judgement> given_up_;
};

/// How much is done to make failing schedules short; what is beyond keeps its seed, and so does
/// what stays too long to be read.
constexpr std::size_t most_shortened = 6;
constexpr int most_tries = 60;
constexpr std::size_t longest_path = 40;

/// A path is told by every schedule but these: fifo is the shortest already.
bool has_path(const std::string& schedule) {
  return schedule != "fifo" && !schedule.starts_with("late:");
}

bool is_worth_shortening(const CheckedCase& checked) {
  const Verdict verdict = checked.judgement.verdict;
  const RunLog* failed = judged_run(checked);
  return (verdict == Verdict::wrong || verdict == Verdict::deadlock || verdict == Verdict::crash ||
          verdict == Verdict::exited) &&
         failed != nullptr && has_path(failed->schedule);
}

std::string path_name(const protocol::Path& path) {
  return protocol::to_string({.kind = protocol::StrategyKind::path, .path = path});
}

/// The first line of a compiler's output that tells of an error.
std::string first_error(const std::string& output) {
  const std::size_t found = output.find("error:");
  const std::size_t start = output.rfind('\n', found) + 1;  // npos + 1 is the first line
  return output.substr(start, output.find('\n', start) - start);
}

/// What the compiler said about the part of the runner that the case needs; none when it is there.
const std::string* failed_part(const Exercise& exercise, const BuildResult& build,
                               const Case& test_case) {
  const std::string scenario = test_case.data.value("scenario", "");
  for (const auto& part : exercise.config.value("runner_parts", nlohmann::json::array())) {
    const auto failed = build.failed_parts.find(part.at("name").get<std::string>());
    const nlohmann::json& scenarios = part.at("scenarios");
    if (failed != build.failed_parts.end() &&
        std::find(scenarios.begin(), scenarios.end(), scenario) != scenarios.end()) {
      return &failed->second;
    }
  }
  return nullptr;
}

CheckedCase not_compiled(const Case& test_case, const std::string& output) {
  CheckedCase checked;
  checked.judgement = judge_unbuilt(test_case, first_error(output));
  checked.run.stderr_text = output;
  return checked;
}

/// A case that looks at what the submission includes, and runs nothing.
bool looks_at_includes(const Case& test_case) {
  return test_case.data.value("scenario", "") == "includes";
}

/// One check's cases and their results, for all of its runners.
class CaseRuns {
 public:
  CaseRuns(const Exercise& exercise, const BuildResult& build, const Kit& kit,
           const RunOptions& options)
      : exercise_(exercise),
        build_(build),
        kit_(kit),
        options_(options),
        results_(exercise.cases.size()) {}

  /// Runs every case whose index leaves the remainder `share` by the number of jobs.
  void run_share(std::size_t share) {
    std::size_t index = share;
    try {
      Runner runner(runner_options());
      for (; index < results_.size(); index += options_.jobs) {
        keep(index, run(runner, exercise_.cases[index]));
      }
    } catch (const RunnerFailed& failure) {
      for (; index < results_.size(); index += options_.jobs) {
        CheckedCase checked;
        checked.judgement = judgement_of(failure);
        checked.run.stderr_text = failure.output();
        keep(index, std::move(checked));
      }
    } catch (const std::system_error& error) {
      throw GraderFault(std::string("the runner cannot be started: ") + error.what());
    }
  }

  /// Shortens the first failing schedules, in the order of the cases.
  void shorten_failures() {
    std::vector<std::size_t> worth_it;
    for (std::size_t index = 0; index < results_.size(); ++index) {
      if (worth_it.size() < most_shortened && is_worth_shortening(results_[index])) {
        worth_it.push_back(index);
      }
    }
    if (worth_it.empty()) {
      return;
    }
    Runner runner(runner_options());
    for (const std::size_t index : worth_it) {
      shorten(runner, exercise_.cases[index], results_[index]);
    }
  }

  std::vector<CheckedCase> results() { return std::move(results_); }

 private:
  RunRequest request_for(const Case& test_case) const {
    if (options_.schedule) {
      return {.schedules = {*options_.schedule}};
    }
    return {.schedules = schedules_for(test_case, options_.portfolio), .twice = options_.twice};
  }

  RunnerOptions runner_options() const {
    const std::vector<std::string> words = confined_runner(kit_, build_.program);
    return {.program = words.front(),
            .arguments = {words.begin() + 1, words.end()},
            .exercise = exercise_.slug,
            .notices_sleep = !build_.is_sanitized};
  }

  CheckedCase run(Runner& runner, const Case& test_case) {
    if (const std::string* output = failed_part(exercise_, build_, test_case)) {
      return not_compiled(test_case, *output);
    }
    if (looks_at_includes(test_case)) {
      CheckedCase checked;
      checked.judgement = judge_includes(test_case, build_.foreign_includes);
      return checked;
    }
    const Clock::time_point start = Clock::now();
    CheckedCase checked;
    if (runner.given_up()) {
      checked.judgement = *runner.given_up();
      return checked;
    }
    const RunRequest request = request_for(test_case);
    checked.run = runner.run(test_case, request);
    checked.judgement = judge(exercise_, test_case, checked.run);
    checked.runs = checked.run.runs.size();
    runner.note(checked);
    checked.wall_ms = milliseconds_since(start);
    return checked;
  }

  /// Replaces a run that failed under a random schedule by the shortest one that fails alike.
  void shorten(Runner& runner, const Case& test_case, CheckedCase& checked) {
    const std::string schedule = judged_run(checked)->schedule;
    const auto try_under = [&](const std::string& other) {
      CheckedCase tried;
      tried.run = runner.run(test_case, {.schedules = {other}, .choices = true});
      tried.judgement = judge(exercise_, test_case, tried.run);
      tried.runs = checked.runs;
      return tried;
    };
    const auto fails_alike = [&checked](const CheckedCase& tried) {
      return tried.judgement.verdict == checked.judgement.verdict &&
             root_rule(tried) == root_rule(checked) && judged_run(tried) != nullptr;
    };
    CheckedCase shortest = try_under(schedule);
    if (!fails_alike(shortest)) {
      return;  // it needs the runs before it: the submission keeps something between them
    }
    shrink(
        judged_run(shortest)->choices,
        [&](const protocol::Path& path) {
          CheckedCase tried = try_under(path_name(path));
          const bool is_alike = fails_alike(tried);
          if (is_alike) {
            shortest = std::move(tried);
          }
          return is_alike;
        },
        most_tries);
    if (judged_run(shortest)->choices.size() > longest_path) {
      return;
    }
    shortest.found_by = schedule;
    shortest.wall_ms = checked.wall_ms;
    finish(test_case, shortest);
    checked = std::move(shortest);
  }

  void finish(const Case& test_case, CheckedCase& checked) const {
    checked.test_case = test_case;
    for (std::string* text :
         {&checked.run.stdout_text, &checked.run.stderr_text, &checked.judgement.summary}) {
      *text = stable_output(std::move(*text), build_.program.parent_path(), kit_);
    }
  }

  void keep(std::size_t index, CheckedCase&& checked) {
    finish(exercise_.cases[index], checked);
    const std::scoped_lock lock(mutex_);
    results_[index] = std::move(checked);
    ++done_;
    if (options_.progress) {
      options_.progress(done_);
    }
  }

  const Exercise& exercise_;
  const BuildResult& build_;
  const Kit& kit_;
  const RunOptions& options_;
  std::vector<CheckedCase> results_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<CheckedCase> run_cases(const Exercise& exercise, const BuildResult& build,
                                   const Kit& kit, const RunOptions& options) {
  CaseRuns runs(exercise, build, kit, options);
  std::vector<std::future<void>> shares;
  for (std::size_t share = 0; share < options.jobs; ++share) {
    shares.push_back(std::async(std::launch::async, [&runs, share] { runs.run_share(share); }));
  }
  for (std::future<void>& share : shares) {
    share.get();
  }
  if (options.shortens) {
    runs.shorten_failures();
  }
  return runs.results();
}

std::int64_t milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

std::vector<CheckedCase> all_cases_as(const Exercise& exercise, Verdict verdict,
                                      const std::string& summary) {
  std::vector<CheckedCase> results;
  for (const Case& test_case : exercise.cases) {
    CheckedCase checked;
    checked.test_case = test_case;
    checked.judgement.verdict = verdict;
    checked.judgement.summary = summary;
    results.push_back(std::move(checked));
  }
  return results;
}

std::string stable_output(std::string text, const fs::path& scratch, const Kit& kit) {
  text = with_short_paths(std::move(text), scratch.string(), "<submission>");
  text = with_short_paths(std::move(text), kit.root.string(), "<kit>");
  if (text.find("Sanitizer") == std::string::npos) {
    return text;
  }
  static const std::regex process("==[0-9]+==");
  static const std::regex address("0x[0-9a-f]{8,16}");
  return std::regex_replace(std::regex_replace(text, process, "==PID=="), address, "0x?");
}

}  // namespace driver
