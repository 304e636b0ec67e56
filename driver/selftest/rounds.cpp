// SPDX-License-Identifier: MIT
//
// A few threads that take subjects from one list; each has its own scratch folder and runner.

#include "driver/selftest/rounds.hpp"

#include "driver/core/build.hpp"
#include "driver/core/case_runs.hpp"
#include "driver/core/digest.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/scratch.hpp"
#include "driver/core/submission.hpp"
#include "driver/core/text_file.hpp"
#include "driver/core/unseen.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Submission as_submission(const Subject& subject) {
  Submission submission;
  std::vector<NamedDigest> digests;
  for (const auto& [name, text] : subject.files) {
    submission.files.push_back({.name = name, .text = text, .digest = digest(text)});
    digests.push_back({.name = name, .digest = submission.files.back().digest});
  }
  submission.digest = digest_of_all(digests);
  return submission;
}

CaseVerdict verdict_of(const CheckedCase& checked) {
  CaseVerdict verdict{.verdict = std::string(to_string(checked.judgement.verdict))};
  for (const Violation& violation : checked.judgement.violations) {
    verdict.rules.push_back(violation.rule);
  }
  return verdict;
}

SubjectResult check_subject(Exercise exercise, const Kit& kit, const Subject& subject,
                            const RunOptions& run) {
  SubjectResult result{.subject = subject};
  const Scratch scratch;
  const Submission submission = as_submission(subject);
  add_unseen_cases(exercise, seed_of(submission.digest));
  scratch.fill(submission, exercise, kit);
  const BuildResult build = build_submission(exercise, kit, scratch.folder());
  if (!build.is_ok) {
    result.is_built = false;
    result.build_output = build.output;
    return result;
  }
  for (const CheckedCase& checked : run_cases(exercise, build, kit, run)) {
    if (checked.judgement.verdict != Verdict::pass) {
      result.cases[checked.test_case.name] = verdict_of(checked);
    }
  }
  return result;
}

json to_json(const SubjectResult& result) {
  json cases = json::object();
  for (const auto& [name, verdict] : result.cases) {
    cases[name] = {{"verdict", verdict.verdict}, {"rules", verdict.rules}};
  }
  return {{"built", result.is_built}, {"build_output", result.build_output}, {"cases", cases}};
}

/// Fills in a result that was kept; false when there is none, or none that can be read.
bool recall(const fs::path& file, SubjectResult& result) {
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored)) {
    return false;
  }
  try {
    const json kept = read_json(file);
    result.is_built = kept.at("built").get<bool>();
    result.build_output = kept.at("build_output").get<std::string>();
    for (const auto& [name, verdict] : kept.at("cases").items()) {
      result.cases[name] = {.verdict = verdict.at("verdict").get<std::string>(),
                            .rules = verdict.at("rules").get<std::vector<std::string>>()};
    }
    return true;
  } catch (const std::exception&) {
    result.cases.clear();
    return false;
  }
}

/// The work of one round, shared by its threads.
class Round {
 public:
  Round(const Exercise& exercise, const Kit& kit, const std::vector<Subject>& subjects,
        const RoundOptions& options)
      : exercise_(exercise), kit_(kit), subjects_(subjects), options_(options) {
    basis_ = kit_digest(kit, exercise) + options.run.schedule.value_or("") +
             std::to_string(options.run.portfolio.count);
    results_.resize(subjects.size());
  }

  void work() {
    for (std::size_t index = next_++; index < subjects_.size() && !failure_; index = next_++) {
      try {
        check(index);
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        failure_ = std::current_exception();
      }
    }
  }

  std::vector<SubjectResult> results() {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    return std::move(results_);
  }

 private:
  void check(std::size_t index) {
    SubjectResult result{.subject = subjects_[index]};
    const fs::path file = place_of(subjects_[index]);
    if (!recall(file, result)) {
      result = check_subject(exercise_, kit_, subjects_[index], options_.run);
      if (!file.empty()) {
        replace_file(file, to_json(result).dump());
      }
    }
    const std::scoped_lock lock(mutex_);
    results_[index] = std::move(result);
    ++done_;
    if (options_.progress) {
      options_.progress(done_, subjects_.size());
    }
  }

  /// Where the result is kept: named by everything that it depends on.
  fs::path place_of(const Subject& subject) const {
    if (options_.cache.empty()) {
      return {};
    }
    const std::string key = digest(basis_ + as_submission(subject).digest);
    return options_.cache / (key.substr(key.find(':') + 1) + ".json");
  }

  const Exercise& exercise_;
  const Kit& kit_;
  const std::vector<Subject>& subjects_;
  const RoundOptions& options_;
  std::string basis_;
  std::vector<SubjectResult> results_;
  std::atomic<std::size_t> next_ = 0;
  std::size_t done_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<SubjectResult> run_round(const Exercise& exercise, const Kit& kit,
                                     const std::vector<Subject>& subjects,
                                     const RoundOptions& options) {
  if (!options.cache.empty()) {
    fs::create_directories(options.cache);
  }
  Round round(exercise, kit, subjects, options);
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < options.jobs; ++i) {
      workers.emplace_back([&round] { round.work(); });
    }
  }
  return round.results();
}

}  // namespace driver
