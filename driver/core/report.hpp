// SPDX-License-Identifier: MIT
//
// The outcome of a check as data: the JSON report and the exit code. The format is
// catalog/schema/report.schema.json; the same check always gives the same bytes.

#pragma once

#include "driver/core/build.hpp"
#include "driver/core/catalogue.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/run_log.hpp"
#include "driver/core/submission.hpp"
#include "driver/core/verdict.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// One case after its run.
///
/// Shape: `runs` is how often it was run; `found_by` is the schedule that first failed, when a
/// shorter one took its place.
struct CheckedCase {
  Case test_case;
  CaseRun run;
  Judgement judgement;
  std::size_t runs = 0;
  std::string found_by = {};
  std::int64_t wall_ms = 0;
};

/// Everything that one check found out.
///
/// Shape: `command` is the command line that repeats the check, without --case and --schedule;
/// `schedule` names the one that was asked for, or says how many there were; `seed` drew the unseen
/// cases.
struct CheckRecord {
  Submission submission;
  std::string kit_digest;
  std::string compiler;
  std::string command;
  std::string schedule;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings;
  BuildResult build;
  std::vector<CheckedCase> cases;
  std::int64_t build_ms = 0;
  std::int64_t wall_ms = 0;
};

/// Whether the report holds durations, which differ from run to run.
enum class Timings { leave_out, include };

/// Gives the exit code that the record comes to: grader fault before not built before fail.
ExitCode exit_code(const CheckRecord& record);

/// Gives the verdict on the whole: "pass", "fail", "could not build" or "grader fault".
std::string_view overall_verdict(const CheckRecord& record);

/// Gives the number of cases of each verdict.
std::map<Verdict, std::size_t> count_verdicts(const CheckRecord& record);

/// Gives the rule that a case failed first, or "" when it broke none.
std::string root_rule(const CheckedCase& checked);

/// Gives the run that the judgement speaks of, or null when there was none.
const RunLog* judged_run(const CheckedCase& checked);

/// Gives the events of a run as reports show them.
/// Shape: an array of {"t": seconds, "ev": name, fields of the event ...}.
nlohmann::ordered_json timeline(const RunLog& run);

/// Gives the command that repeats one case.
std::string reproduce_command(const CheckRecord& record, const CheckedCase& checked);

/// Gives the JSON report.
nlohmann::ordered_json make_report(const Exercise& exercise, const CheckRecord& record,
                                   Timings timings = Timings::leave_out);

/// Gives JSON as report files hold it: indented by one, valid UTF-8, a newline at the end.
std::string report_text(const nlohmann::ordered_json& report);

}  // namespace driver
