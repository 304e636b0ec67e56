// SPDX-License-Identifier: MIT
//
// Exit codes are decided in one place.

#include "driver/core/cli.hpp"

#include "driver/core/kit.hpp"
#include "driver/core/start.hpp"
#include "driver/protocol/schedule.hpp"

#include <cerrno>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>

namespace driver {
namespace {

int report_error(const std::string& program, const char* kind, const char* what, ExitCode code) {
  std::cerr << program << ": " << kind << what << std::endl;
  return static_cast<int>(code);
}

/// Whether stdout took everything; a full disk must not look like success.
int flushed(const std::string& program, ExitCode code) {
  errno = 0;
  std::cout.flush();
  // A reader that has seen enough (EPIPE) is no failure of ours.
  return std::cout || errno == EPIPE
             ? static_cast<int>(code)
             : report_error(program, "", "stdout cannot be written", ExitCode::grader_fault);
}

}  // namespace

void add_language_option(CLI::App& command, std::string& code) {
  command.add_option("--lang", code, "language of what it says, such as nl (default: English)")
      ->type_name("CODE")
      ->envname("OL_LANG");
}

void add_check_options(CLI::App& command, CheckOptions& options) {
  command.add_option("EXERCISE", options.exercise, "name of the exercise, such as pool-stop");
  command.add_option("SUBMISSION", options.submission, "folder that holds the handed-in files");
  command.add_option("--case", options.cases, "run this case alone; may be given several times")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--cases", options.cases_file, "run the cases of FILE, not the catalogue's")
      ->type_name("FILE");
  command
      .add_option("--golden", options.golden_file,
                  "what a right solution gives for --cases; without it the invariants judge")
      ->type_name("FILE");
  command
      .add_option("--schedule", options.schedule,
                  "run each case under this order of events alone: " +
                      std::string(protocol::schedule_forms))
      ->type_name("S");
  command
      .add_option("--schedules", options.schedules,
                  "run each case under N orders of events, not the exercise's number of them")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  command
      .add_option("--soak", options.soak_seconds,
                  "then try other orders for so many seconds, until one fails")
      ->type_name("SECONDS")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  command
      .add_option("--seed", options.seed,
                  "draw the unseen cases with N, not with the submission's digest")
      ->type_name("N");
  command.add_option("--json", options.json, "write the JSON report to FILE, or to stdout with -")
      ->type_name("FILE|-");
  command
      .add_option("--repeat", options.repeat,
                  "run everything N times; exit 4 when two reports differ in a byte")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000}));
  add_language_option(command, options.language);
  command.add_flag("--list", options.list, "list the cases and run none");
  command.add_flag("--timings", options.timings, "add durations, which differ from run to run");
  command.add_flag_callback(
      "--asan", [&options] { options.variant = "asan"; },
      "build the submission with AddressSanitizer");
  command.footer(
      "Exit status: 0 pass, 1 the submission fails, 2 wrong usage or input, 3 could not be built, "
      "4 grader fault.");
}

void infer_arguments(CheckOptions& options) {
  if (options.submission.empty() && !options.exercise.empty()) {
    // `ol check FOLDER`, where the folder says which exercise it is.
    const auto named = started_exercise(options.exercise);
    options.submission = named ? options.exercise : "";
    options.exercise = named ? *named : options.exercise;
  }
  if (options.submission.empty()) {
    const auto here = started_exercise(".");
    if (!options.list && (!here || (!options.exercise.empty() && options.exercise != *here))) {
      throw BadInput(
          "give EXERCISE and SUBMISSION; only in a folder made by `ol start` can they "
          "be left out");
    }
    options.submission = ".";
    options.exercise = options.exercise.empty() ? here.value_or("") : options.exercise;
  }
  if (options.exercise.empty()) {
    throw BadInput("give EXERCISE");
  }
}

int run_program(CLI::App& app, int argc, const char* const* argv,
                const std::function<ExitCode()>& work) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::string program = app.get_name();
  try {
    app.parse(argc, argv);
    return flushed(program, work());
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
  } catch (const BadInput& error) {
    return report_error(program, "", error.what(), ExitCode::bad_input);
  } catch (const GraderFault& error) {
    return report_error(program, "grader fault: ", error.what(), ExitCode::grader_fault);
  } catch (const std::bad_alloc&) {
    return report_error(program, "grader fault: ", "out of memory", ExitCode::grader_fault);
  } catch (const std::exception& error) {
    return report_error(program, "grader fault: ", error.what(), ExitCode::grader_fault);
  }
}

int check_program(int argc, const char* const* argv, const std::filesystem::path& kit_file) {
  CLI::App app("Builds a submission, runs it through the cases of an exercise and judges it.",
               "check");
  CheckOptions options;
  add_check_options(app, options);
  return run_program(app, argc, argv, [&options, &kit_file] {
    infer_arguments(options);
    return run_check(options, load_kit(kit_file), std::cout, std::cerr);
  });
}

}  // namespace driver
