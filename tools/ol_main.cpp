// SPDX-License-Identifier: MIT
//
// The program `ol`: everything a student or an instructor does with the kit, one word each.

#include "driver/built_in_kit.hpp"
#include "driver/core/catalogue.hpp"
#include "driver/core/check.hpp"
#include "driver/core/cli.hpp"
#include "driver/core/compare.hpp"
#include "driver/core/doctor.hpp"
#include "driver/core/kit.hpp"
#include "driver/core/language.hpp"
#include "driver/core/passes.hpp"
#include "driver/core/scratch.hpp"
#include "driver/core/serve.hpp"
#include "driver/core/start.hpp"
#include "driver/core/tests_page.hpp"
#include "driver/selftest/selftest.hpp"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

namespace {

using driver::ExitCode;

/// What the command line asked for, whichever command it was.
struct Arguments {
  driver::CheckOptions check;
  driver::SelftestOptions selftest;
  std::string exercise;
  std::filesystem::path folder;
  std::filesystem::path report;
  std::optional<std::filesystem::path> golden;
  std::optional<std::filesystem::path> script;
  std::uint16_t port = 8765;
};

driver::Kit load() { return driver::load_kit(driver::kit_file(driver::built_in_kit)); }

ExitCode start(const Arguments& arguments) {
  const driver::Kit kit = load();
  const driver::Exercise exercise = driver::load_exercise(kit.catalog(), arguments.exercise);
  const bool is_named = !arguments.folder.empty();
  const std::filesystem::path folder =
      is_named ? arguments.folder : std::filesystem::path(exercise.slug);
  driver::start_exercise(exercise, kit, folder, std::cout);
  return ExitCode::pass;
}

/// The exercise that was named, else that of the started folder that we are in.
std::string exercise_of(const Arguments& arguments) {
  if (!arguments.exercise.empty()) {
    return arguments.exercise;
  }
  if (const auto started = driver::started_exercise(".")) {
    return *started;
  }
  throw driver::BadInput("give EXERCISE; `ol list` shows all");
}

ExitCode tests(const Arguments& arguments) {
  const driver::Kit kit = load();
  std::cout << driver::tests_page(driver::load_exercise(kit.catalog(), exercise_of(arguments)),
                                  driver::Language::load(kit.catalog(), arguments.check.language));
  return ExitCode::pass;
}

ExitCode check(Arguments& arguments) {
  driver::infer_arguments(arguments.check);
  arguments.check.passes = driver::passes_file();
  return driver::run_check(arguments.check, load(), std::cout, std::cerr);
}

ExitCode list() {
  const driver::Kit kit = load();
  for (const std::string& slug : driver::exercise_slugs(kit.catalog())) {
    const driver::Exercise exercise = driver::load_exercise(kit.catalog(), slug);
    std::cout << slug << "  " << exercise.config.at("title").get<std::string>() << " ("
              << exercise.cases.size() << " cases)\n";
  }
  return ExitCode::pass;
}

void add_commands(CLI::App& app, Arguments& arguments) {
  CLI::App* start = app.add_subcommand("start", "make a folder to work in; overwrites nothing");
  start->add_option("EXERCISE", arguments.exercise, "name of the exercise")->required();
  start->add_option("DIR", arguments.folder, "the new folder (default: the exercise's name)");
  CLI::App* tests = app.add_subcommand("tests", "show what is checked, why, and the pitfalls");
  tests->add_option("EXERCISE", arguments.exercise, "name of the exercise");
  driver::add_language_option(*tests, arguments.check.language);
  CLI::App* check = app.add_subcommand(
      "check", "check a submission; in a started folder both arguments may be left out");
  driver::add_check_options(*check, arguments.check);
  CLI::App* compare = app.add_subcommand(
      "compare", "compare a JSON report with a golden: exit 0 same, 1 differs, 2 unusable");
  compare->add_option("REPORT", arguments.report, "what check --json wrote")->required();
  compare->add_option("GOLDEN", arguments.golden,
                      "another report, or a golden file, or a folder of golden files (default: the "
                      "goldens of the report's exercise)");
  CLI::App* selftest = app.add_subcommand(
      "selftest", "grade the grader: right solutions must pass, wrong ones must be found");
  selftest->add_option("EXERCISE", arguments.selftest.exercise, "name of the exercise")->required();
  selftest->add_option("--subject", arguments.selftest.subjects, "check only this solution");
  selftest->add_flag("--quick", arguments.selftest.is_quick,
                     "only one mutant a section of the rules, and a sixth of the cheats");
  selftest->add_option("--jobs", arguments.selftest.jobs, "how many at a time (0: one a core)");
  selftest->add_option("--schedule", arguments.selftest.schedule, "run under this schedule alone");
  selftest->add_option("--schedules", arguments.selftest.schedules,
                       "run each case under N orders of events");
  selftest->add_option("--json", arguments.selftest.json, "write the kill matrix as JSON to FILE");
  selftest->add_option("--page", arguments.selftest.page,
                       "write the kill matrix as a page to FILE");
  CLI::App* serve = app.add_subcommand(
      "serve", "run the server of an exercise's cases, for curl, a browser or your own program");
  serve->add_option("EXERCISE", arguments.exercise, "name of the exercise");
  serve->add_option("--script", arguments.script,
                    "what it answers: a JSON file, see catalog/README.md");
  serve->add_option("--port", arguments.port, "where it listens on 127.0.0.1; 0: anywhere free")
      ->capture_default_str();
  app.add_subcommand("status", "show which exercises have a pass that still holds");
  app.add_subcommand("doctor", "say whether this machine is fit to check submissions");
  app.add_subcommand("list", "list the exercises");
}

ExitCode run(const CLI::App& app, Arguments& arguments) {
  const std::string command = app.get_subcommands().front()->get_name();
  if (command == "start") {
    return start(arguments);
  }
  if (command == "tests") {
    return tests(arguments);
  }
  if (command == "check") {
    return check(arguments);
  }
  if (command == "selftest") {
    return driver::run_selftest(arguments.selftest, load(), std::cout, std::cerr);
  }
  if (command == "compare") {
    const std::filesystem::path catalog = arguments.golden ? "" : load().catalog();
    return driver::run_compare(arguments.report, arguments.golden, catalog, std::cout);
  }
  if (command == "serve") {
    const driver::Kit kit = load();
    driver::run_serve(driver::load_exercise(kit.catalog(), exercise_of(arguments)), kit,
                      arguments.port, arguments.script);
  }
  if (command == "status") {
    driver::print_status(driver::passes_file(), load(), std::cout);
    return ExitCode::pass;
  }
  return command == "doctor" ? driver::run_doctor(driver::kit_file(driver::built_in_kit), std::cout)
                             : list();
}

}  // namespace

int main(int argc, char** argv) {
  driver::Scratch::remove_on_signals();
  CLI::App app("Exercises in asynchronous C++: start one, see its tests, check a solution.", "ol");
  app.require_subcommand(1);
  app.footer("A first hour: ol start pool-stop, cd pool-stop, ol check, ol tests pool-stop.");
  Arguments arguments;
  add_commands(app, arguments);
  return driver::run_program(app, argc, argv, [&app, &arguments] { return run(app, arguments); });
}
