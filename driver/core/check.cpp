// SPDX-License-Identifier: MIT
//
// The order of a check: everything that the user may have got wrong is said before the build.

#include "driver/core/check.hpp"

#include "driver/core/build.hpp"
#include "driver/core/case_runs.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/nearest.hpp"
#include "driver/core/passes.hpp"
#include "driver/core/predecessor.hpp"
#include "driver/core/report.hpp"
#include "driver/core/scratch.hpp"
#include "driver/core/submission.hpp"
#include "driver/core/text_file.hpp"
#include "driver/core/text_report.hpp"
#include "driver/core/unseen.hpp"
#include "driver/protocol/schedule.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <unistd.h>

namespace driver {
namespace {

using Clock = std::chrono::steady_clock;

/// A counter on the terminal, for checks that take over a second; nothing when `err` is no
/// terminal.
class Counter {
 public:
  Counter(std::ostream& err, std::size_t total)
      : err_(err), total_(total), is_shown_(::isatty(STDERR_FILENO) == 1) {}
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  ~Counter() {
    if (was_shown_) {
      err_ << "\r\x1b[K" << std::flush;
    }
  }

  void show(const std::string& what) {
    if (is_shown_ && Clock::now() - start_ > std::chrono::seconds(1)) {
      err_ << "\r  " << what << "\x1b[K" << std::flush;
      was_shown_ = true;
    }
  }

  void count(std::size_t done) {
    show(std::to_string(done) + " of " + std::to_string(total_) + " cases");
  }

 private:
  std::ostream& err_;
  std::size_t total_;
  bool is_shown_;
  bool was_shown_ = false;
  Clock::time_point start_ = Clock::now();
};

std::string repeat_command(const CheckOptions& options) {
  std::string command = "ol check " + shell_quoted(options.exercise) + " " +
                        shell_quoted(options.submission.string());
  if (options.cases_file) {
    command += " --cases " + shell_quoted(options.cases_file->string());
  }
  if (options.golden_file) {
    command += " --golden " + shell_quoted(options.golden_file->string());
  }
  return command + (options.variant == "asan" ? " --asan" : "");
}

std::string schedule_text(const RunOptions& run) {
  return run.schedule ? *run.schedule : "portfolio of " + std::to_string(run.portfolio.count);
}

/// Cases of an instructor's file that its golden file does not know.
std::vector<std::string> golden_warnings(const CheckOptions& options, const Exercise& exercise) {
  std::vector<std::string> warnings;
  if (options.golden_file) {
    for (const Case& test_case : exercise.cases) {
      if (!exercise.golden.contains(test_case.name)) {
        warnings.push_back("no golden entry for the case " + in_quotes(test_case.name) +
                           "; it is judged by the invariants alone");
      }
    }
  }
  return warnings;
}

void keep_named_cases(Exercise& exercise, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Case& test_case : exercise.cases) {
    known.push_back(test_case.name);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) {
      const std::string near = did_you_mean(name, known);
      throw BadInput("no case " + in_quotes(name) + " in " + exercise.slug +
                     (near.empty() ? " (--list shows all)" : near));
    }
  }
  std::erase_if(exercise.cases, [&names](const Case& test_case) {
    return std::ranges::find(names, test_case.name) == names.end();
  });
}

/// Builds the submission and runs its cases `options.repeat` times.
class Check {
 public:
  Check(const CheckOptions& options, const Kit& kit, Exercise exercise, std::ostream& err)
      : options_(options), kit_(kit), exercise_(std::move(exercise)), err_(err) {}

  /// Gives the record of the first time; the others are only compared with it.
  CheckRecord run() {
    CheckRecord first;
    const RunOptions run = chosen_schedules(options_, exercise_);
    first.schedule = schedule_text(run);
    first.submission = inspect_submission(options_.submission, exercise_, kit_);
    first.seed = options_.seed.value_or(seed_of(first.submission.digest));
    if (!options_.cases_file) {
      add_unseen_cases(exercise_, first.seed);
    }
    if (!options_.cases.empty()) {
      keep_named_cases(exercise_, options_.cases);
    }
    first.warnings = first.submission.warnings;
    for (const std::string& warning : golden_warnings(options_, exercise_)) {
      first.warnings.push_back(warning);
    }
    first.kit_digest = kit_digest(kit_, exercise_);
    first.compiler = kit_.compiler_name;
    first.command = repeat_command(options_);
    try {
      CheckRecord record = build_and_run(run, first);
      if (const auto hint = predecessor_hint(exercise_, kit_, record)) {
        record.warnings.push_back(*hint);
      }
      return record;
    } catch (const GraderFault& fault) {
      first.build = {.is_ok = false, .program = {}, .output = fault.what()};
      first.cases = all_cases_as(exercise_, Verdict::grader_fault, fault.what());
    }
    return first;
  }

  /// The first repetition whose report was another one, as a sentence; none when all were equal.
  const std::optional<std::string>& difference() const { return difference_; }

  const Exercise& exercise() const { return exercise_; }

 private:
  /// `prepared` has what is known before the build.
  CheckRecord build_and_run(RunOptions run, const CheckRecord& prepared) {
    const Scratch scratch;
    scratch.fill(prepared.submission, exercise_, kit_);
    Counter counter(err_, exercise_.cases.size());
    const Clock::time_point start = Clock::now();
    const BuildResult build =
        build_submission(exercise_, kit_, scratch.folder(), {.variant = options_.variant});
    const std::int64_t build_ms = milliseconds_since(start);
    run.jobs = std::max(1U, std::thread::hardware_concurrency());
    run.progress = [&counter](std::size_t done) { counter.count(done); };
    CheckRecord first;
    std::string first_text;
    for (std::size_t time = 1; time <= options_.repeat; ++time) {
      const Clock::time_point run_start = Clock::now();
      CheckRecord record = prepared;
      record.build = build;
      record.build_ms = build_ms;
      record.cases = build.is_ok
                         ? run_cases(exercise_, build, kit_, run)
                         : all_cases_as(exercise_, Verdict::build_failed, "it does not compile");
      if (build.is_ok && options_.soak_seconds > 0) {
        soak(run, build, record);
      }
      add_repeat_warnings(record);
      record.wall_ms = milliseconds_since(run_start);
      std::string text = options_.repeat > 1 ? report_text(make_report(exercise_, record)) : "";
      if (time == 1) {
        first = std::move(record);
        first_text = std::move(text);
      } else {
        compare(time, text, first_text);
      }
    }
    return first;
  }

  void compare(std::size_t time, const std::string& text, const std::string& first_text) {
    if (text != first_text && !difference_) {
      const auto place = std::ranges::mismatch(first_text, text).in1 - first_text.begin();
      const auto line = std::count(first_text.begin(), first_text.begin() + place, '\n') + 1;
      difference_ = "run " + std::to_string(time) + " of " + std::to_string(options_.repeat) +
                    " gave another report than run 1, from line " + std::to_string(line) +
                    " of the JSON on: the grader is not deterministic";
    }
  }

  /// Rounds of ever other schedules, until one fails or the time is over.
  void soak(RunOptions run, const BuildResult& build, CheckRecord& record) {
    const Clock::time_point end = Clock::now() + std::chrono::seconds(options_.soak_seconds);
    std::size_t runs = 0;
    while (exit_code(record) == ExitCode::pass && Clock::now() < end) {
      ++run.portfolio.round;
      std::vector<CheckedCase> cases = run_cases(exercise_, build, kit_, run);
      for (std::size_t index = 0; index < cases.size(); ++index) {
        runs += cases[index].runs;
        if (cases[index].judgement.verdict != Verdict::pass) {
          record.cases[index] = std::move(cases[index]);
        }
      }
    }
    err_ << "soak: " << runs << " more runs\n";
  }

  /// A right solution may depend on addresses or random numbers, but then nothing can be replayed.
  static void add_repeat_warnings(CheckRecord& record) {
    for (const CheckedCase& checked : record.cases) {
      const auto other = std::ranges::find(checked.run.runs, false, &RunLog::is_repeatable);
      if (other != checked.run.runs.end()) {
        record.warnings.push_back("the case " + in_quotes(checked.test_case.name) +
                                  " was different when it ran again under " + other->schedule +
                                  ": does the submission depend on addresses, random numbers or "
                                  "what an earlier run left behind?");
        return;
      }
    }
  }

  const CheckOptions& options_;
  const Kit& kit_;
  Exercise exercise_;
  std::ostream& err_;
  std::optional<std::string> difference_;
};

void write_reports(const CheckOptions& options, const Exercise& exercise, const CheckRecord& record,
                   const Language& language, std::ostream& out) {
  const Timings timings = options.timings ? Timings::include : Timings::leave_out;
  const std::string json =
      options.json.empty() ? "" : report_text(make_report(exercise, record, timings));
  if (options.json == "-") {
    out << json << std::flush;
    return;
  }
  if (!options.json.empty()) {
    replace_file(options.json, json);
  }
  TextOptions text;
  text.colour = wants_colour(STDOUT_FILENO);
  text.language = language;
  text.most_details = options.cases.empty() ? text.most_details : options.cases.size();
  out << text_report(exercise, record, text);
  if (options.timings) {
    out << "built in " << record.build_ms << " ms, run in " << record.wall_ms << " ms\n";
  }
}

/// Whether a pass says that the exercise is done.
bool is_whole(const CheckOptions& options) {
  return options.cases.empty() && !options.cases_file && !options.schedule && !options.schedules;
}

void note_pass_of(const CheckOptions& options, const CheckRecord& record, std::ostream& err) {
  try {
    note_pass(*options.passes, {.exercise = options.exercise,
                                .folder = record.submission.folder,
                                .submission = record.submission.digest,
                                .kit = record.kit_digest});
  } catch (const BadInput& error) {
    err << "the pass is not noted: " << error.what() << "\n";
  }
}

}  // namespace

Exercise chosen_exercise(const CheckOptions& options, const Kit& kit) {
  if (options.golden_file && !options.cases_file) {
    throw BadInput("--golden needs --cases: the catalogue's cases have their own goldens");
  }
  Exercise exercise = load_exercise(kit.catalog(), options.exercise);
  if (options.cases_file) {
    exercise = with_own_cases(std::move(exercise), *options.cases_file, options.golden_file);
  }
  return exercise;
}

RunOptions chosen_schedules(const CheckOptions& options, const Exercise& exercise) {
  RunOptions run;
  run.schedule = options.schedule;
  run.twice = run.shortens = !options.schedule;
  run.portfolio.count =
      options.schedules.value_or(exercise.config.at("schedules").get<std::size_t>());
  if (options.schedule && !protocol::parse_schedule(*options.schedule)) {
    throw BadInput("no schedule " + in_quotes(*options.schedule) + ", expected " +
                   std::string(protocol::schedule_forms));
  }
  if (options.schedule && (options.schedules || options.soak_seconds > 0)) {
    throw BadInput("--schedule names the only schedule; leave out --schedules and --soak");
  }
  return run;
}

ExitCode run_check(const CheckOptions& options, const Kit& kit, std::ostream& out,
                   std::ostream& err) {
  const Language language = Language::load(kit.catalog(), options.language);
  Check check(options, kit, chosen_exercise(options, kit), err);
  if (options.list) {
    for (const Case& test_case : check.exercise().cases) {
      out << printable(test_case.name) << "\n";
    }
    return ExitCode::pass;
  }
  const CheckRecord record = check.run();
  write_reports(options, check.exercise(), record, language, out);
  std::ostream& remarks = options.json == "-" ? err : out;
  if (check.difference()) {
    remarks << *check.difference() << "\n";
    return ExitCode::grader_fault;
  }
  if (options.repeat > 1) {
    remarks << options.repeat << " runs, byte-identical reports\n";
  }
  if (options.passes && is_whole(options) && exit_code(record) == ExitCode::pass) {
    note_pass_of(options, record, err);
  }
  return exit_code(record);
}

}  // namespace driver
