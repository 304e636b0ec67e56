// SPDX-License-Identifier: MIT
#include "driver/selftest/selftest.hpp"

#include "driver/core/check.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/nearest.hpp"
#include "driver/core/report.hpp"
#include "driver/core/text_file.hpp"
#include "driver/selftest/kill_matrix.hpp"
#include "driver/selftest/rounds.hpp"
#include "driver/selftest/subjects.hpp"

#include <algorithm>
#include <thread>
#include <unistd.h>

namespace driver {
namespace {

constexpr std::size_t quick_mutants_a_section = 1;

/// There are many solutions, and what needs more schedules than these is for --schedules to find.
constexpr std::size_t enough_schedules = 8;

void keep_named(Subjects& subjects, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Subject& subject : subjects.all) {
    known.push_back(subject.name);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) {
      throw BadInput("no subject " + in_quotes(name) + did_you_mean(name, known));
    }
  }
  std::erase_if(subjects.all, [&names](const Subject& subject) {
    return std::ranges::find(names, subject.name) == names.end();
  });
}

void show_progress(std::ostream& err, std::size_t done, std::size_t total) {
  err << "\r  " << done << " of " << total << " solutions\x1b[K"
      << (done == total ? "\r\x1b[K" : "") << std::flush;
}

void write_matrix(const SelftestOptions& options, const Exercise& exercise,
                  const KillMatrix& matrix, std::ostream& out) {
  if (!options.page.empty()) {
    replace_file(options.page, kill_matrix_page(exercise, matrix));
  }
  const std::string json =
      options.json.empty() ? "" : report_text(kill_matrix_json(exercise, matrix));
  if (options.json == "-") {
    out << json << std::flush;
    return;
  }
  if (!options.json.empty()) {
    replace_file(options.json, json);
  }
  out << kill_matrix_text(exercise, matrix);
}

}  // namespace

ExitCode run_selftest(const SelftestOptions& options, const Kit& kit, std::ostream& out,
                      std::ostream& err) {
  CheckOptions check;
  check.exercise = options.exercise;
  check.schedule = options.schedule;
  check.schedules = options.schedules;
  const Exercise exercise = chosen_exercise(check, kit);
  Subjects subjects = load_subjects(kit, exercise);
  const Subjects everything = subjects;
  if (options.is_quick) {
    keep_a_sample(subjects, exercise.rules, quick_mutants_a_section);
  }
  if (!options.subjects.empty()) {
    keep_named(subjects, options.subjects);
  }
  RoundOptions round;
  round.run = chosen_schedules(check, exercise);
  round.run.twice = round.run.shortens = false;
  if (!options.schedules) {
    round.run.portfolio.count = std::min(round.run.portfolio.count, enough_schedules);
  }
  round.jobs = options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  round.cache = kit.file.parent_path() / "selftest";
  if (::isatty(STDERR_FILENO) == 1) {
    round.progress = [&err](std::size_t done, std::size_t total) {
      show_progress(err, done, total);
    };
  }
  const KillMatrix matrix =
      make_kill_matrix(exercise, everything, run_round(exercise, kit, subjects.all, round));
  write_matrix(options, exercise, matrix, out);
  return matrix.is_sound() ? ExitCode::pass : ExitCode::fail;
}

}  // namespace driver
