// SPDX-License-Identifier: MIT
//
// One warm runner for all cases; a case that takes it down costs that case alone.

#include "driver/core/case_runs.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/judge.hpp"
#include "driver/core/process.hpp"

#include <chrono>
#include <optional>
#include <regex>
#include <sys/wait.h>
#include <system_error>

namespace driver {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::int64_t milliseconds_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

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

/// A submission that loops for ever does so in most cases: once that is clear, a case gets less
/// time, which is still many times what any right solution needs.
constexpr std::size_t patience = 2;
constexpr int impatient_cpu_seconds = 1;

/// The runner of a submission, with its patience.
class Runner {
 public:
  explicit Runner(RunnerOptions options) : options_(std::move(options)) {
    process_.emplace(options_);
  }

  CaseRun run(const nlohmann::json& case_data, const std::vector<std::string>& schedules) {
    return process_->run(case_data, schedules);
  }

  void note(Verdict verdict) {
    if (verdict == Verdict::time_limit && ++time_limits_ == patience) {
      options_.limits["cpu_seconds"] = impatient_cpu_seconds;
      process_.emplace(options_);
    }
  }

 private:
  RunnerOptions options_;
  std::optional<RunnerProcess> process_;
  std::size_t time_limits_ = 0;
};

CheckedCase run_case(Runner& runner, const Exercise& exercise, const Case& test_case,
                     const std::vector<std::string>& schedules) {
  const Clock::time_point start = Clock::now();
  CheckedCase checked;
  checked.test_case = test_case;
  checked.run = runner.run(test_case.data, schedules);
  checked.judgement = judge(exercise, test_case, checked.run);
  runner.note(checked.judgement.verdict);
  checked.wall_ms = milliseconds_since(start);
  return checked;
}

}  // namespace

std::vector<CheckedCase> run_cases(const Exercise& exercise, const fs::path& program,
                                   const std::vector<std::string>& schedules, const Kit& kit,
                                   const Progress& progress) {
  std::vector<CheckedCase> results;
  try {
    Runner runner({.program = program, .exercise = exercise.slug});
    for (const Case& test_case : exercise.cases) {
      CheckedCase checked = run_case(runner, exercise, test_case, schedules);
      checked.run.stdout_text =
          stable_output(std::move(checked.run.stdout_text), program.parent_path(), kit);
      checked.run.stderr_text =
          stable_output(std::move(checked.run.stderr_text), program.parent_path(), kit);
      checked.judgement.summary =
          stable_output(std::move(checked.judgement.summary), program.parent_path(), kit);
      results.push_back(std::move(checked));
      progress(results.size());
    }
  } catch (const RunnerFailed& failure) {
    for (std::size_t index = results.size(); index < exercise.cases.size(); ++index) {
      CheckedCase checked;
      checked.test_case = exercise.cases[index];
      checked.judgement = judgement_of(failure);
      checked.run.stderr_text = stable_output(failure.output(), program.parent_path(), kit);
      results.push_back(std::move(checked));
    }
  } catch (const std::system_error& error) {
    throw GraderFault(std::string("the runner cannot be started: ") + error.what());
  }
  return results;
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
