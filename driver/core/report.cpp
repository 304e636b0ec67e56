// SPDX-License-Identifier: MIT
//
// Keys are written in the order of the documented format; nothing here reads a clock.

#include "driver/core/report.hpp"

#include "driver/core/escape.hpp"
#include "driver/core/unseen.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace driver {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

ordered_json submission_part(const Submission& submission) {
  ordered_json files = ordered_json::array();
  for (const SubmittedFile& file : submission.files) {
    files.push_back({{"name", file.name}, {"digest", file.digest}, {"bytes", file.text.size()}});
  }
  return {{"digest", submission.digest}, {"files", std::move(files)}};
}

ordered_json summary_part(const CheckRecord& record) {
  const std::map<Verdict, std::size_t> counts = count_verdicts(record);
  ordered_json summary = ordered_json::object();
  for (const Verdict verdict : all_verdicts) {
    summary[std::string(to_string(verdict))] = counts.at(verdict);
  }
  return summary;
}

/// The rules that were broken, in the order of rules.json.
std::vector<std::string> rules_failed(const Exercise& exercise, const CheckRecord& record) {
  std::set<std::string> broken;
  for (const CheckedCase& checked : record.cases) {
    for (const Violation& violation : checked.judgement.violations) {
      broken.insert(violation.rule);
    }
  }
  std::vector<std::string> ordered;
  for (const json& rule : exercise.rules) {
    if (broken.erase(rule.at("id").get<std::string>()) > 0) {
      ordered.push_back(rule.at("id").get<std::string>());
    }
  }
  broken.erase("");
  ordered.insert(ordered.end(), broken.begin(), broken.end());
  return ordered;
}

/// The keys of the text and no others, in the text's order.
ordered_json text_report_of(const Exercise& exercise, const RunLog& run) {
  ordered_json report = ordered_json::object();
  for (const json& key : exercise.config.at("report_keys")) {
    const auto& name = key.get_ref<const std::string&>();
    if (run.report.is_object() && run.report.contains(name)) {
      report[name] = ordered_json(run.report.at(name));
    }
  }
  return report;
}

ordered_json observed_of(const RunLog& run) {
  ordered_json observed =
      run.observed.is_object() ? ordered_json(run.observed) : ordered_json::object();
  if (!run.events.empty() || observed.contains("timeline")) {
    observed["timeline"] = timeline(run);
  }
  return observed;
}

ordered_json violation_part(const Violation& violation) {
  return {{"rule", violation.rule},
          {"check", violation.check},
          {"time", violation.time_ns ? ordered_json(seconds(*violation.time_ns)) : ordered_json()},
          {"message", violation.message},
          {"expected", ordered_json(violation.expected)},
          {"actual", ordered_json(violation.actual)}};
}

ordered_json case_part(const Exercise& exercise, const CheckRecord& record,
                       const CheckedCase& checked, Timings timings) {
  const RunLog* run = judged_run(checked);
  ordered_json violations = ordered_json::array();
  for (const Violation& violation : checked.judgement.violations) {
    violations.push_back(violation_part(violation));
  }
  ordered_json part;
  part["name"] = checked.test_case.name;
  part["verdict"] = to_string(checked.judgement.verdict);
  part["summary"] = checked.judgement.summary;
  part["unseen_of"] = ordered_json(checked.test_case.data.value("unseen_of", json()));
  part["rules"] = ordered_json(checked.test_case.data.value("rules", json::array()));
  part["schedule"] = run == nullptr ? ordered_json() : ordered_json(run->schedule);
  part["found_by"] = checked.found_by.empty() ? ordered_json() : ordered_json(checked.found_by);
  part["runs"] = checked.runs;
  part["saw_all"] = checked.run.saw_all ? ordered_json(*checked.run.saw_all) : ordered_json();
  part["report"] = run == nullptr ? ordered_json::object() : text_report_of(exercise, *run);
  part["observed"] = run == nullptr ? ordered_json::object() : observed_of(*run);
  part["violations"] = std::move(violations);
  part["stdout"] = checked.run.stdout_text;
  part["stderr"] = checked.run.stderr_text;
  part["reproduce"] = reproduce_command(record, checked);
  if (timings == Timings::include) {
    part["timings"] = {{"cpu_ms", checked.run.cpu_ms}, {"wall_ms", checked.wall_ms}};
  }
  return part;
}

}  // namespace

ExitCode exit_code(const CheckRecord& record) {
  const std::map<Verdict, std::size_t> counts = count_verdicts(record);
  if (counts.at(Verdict::grader_fault) > 0) {
    return ExitCode::grader_fault;
  }
  if (!record.build.is_ok) {
    return ExitCode::not_built;
  }
  return counts.at(Verdict::pass) == record.cases.size() ? ExitCode::pass : ExitCode::fail;
}

std::string_view overall_verdict(const CheckRecord& record) {
  switch (exit_code(record)) {
    case ExitCode::pass:
      return "pass";
    case ExitCode::not_built:
      return "could not build";
    case ExitCode::grader_fault:
      return "grader fault";
    default:
      return "fail";
  }
}

std::map<Verdict, std::size_t> count_verdicts(const CheckRecord& record) {
  std::map<Verdict, std::size_t> counts;
  for (const Verdict verdict : all_verdicts) {
    counts[verdict] = 0;
  }
  for (const CheckedCase& checked : record.cases) {
    ++counts[checked.judgement.verdict];
  }
  return counts;
}

std::string root_rule(const CheckedCase& checked) {
  return checked.judgement.violations.empty() ? "" : checked.judgement.violations.front().rule;
}

const RunLog* judged_run(const CheckedCase& checked) {
  const std::size_t index = checked.judgement.run;
  return index < checked.run.runs.size() ? &checked.run.runs[index] : nullptr;
}

ordered_json timeline(const RunLog& run) {
  ordered_json entries = ordered_json::array();
  for (const Event& event : run.events) {
    ordered_json entry{{"t", seconds(event.time_ns)}, {"ev", event.name}};
    if (event.fields.is_object()) {
      for (const auto& [key, value] : event.fields.items()) {
        entry[key] = ordered_json(value);
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string reproduce_command(const CheckRecord& record, const CheckedCase& checked) {
  const RunLog* run = judged_run(checked);
  return record.command + " --case " + shell_quoted(checked.test_case.name) +
         (run == nullptr ? "" : " --schedule " + shell_quoted(run->schedule)) +
         (is_unseen(checked.test_case) ? " --seed " + std::to_string(record.seed) : "");
}

ordered_json make_report(const Exercise& exercise, const CheckRecord& record, Timings timings) {
  ordered_json report;
  report["format"] = 1;
  report["exercise"] = exercise.slug;
  report["verdict"] = overall_verdict(record);
  report["submission"] = submission_part(record.submission);
  report["kit"] = {{"digest", record.kit_digest}};
  report["compiler"] = record.compiler;
  report["schedule"] = record.schedule;
  report["seed"] = record.seed;
  report["summary"] = summary_part(record);
  report["rules_failed"] = rules_failed(exercise, record);
  report["warnings"] = record.warnings;
  report["build"] = {{"ok", record.build.is_ok}, {"output", record.build.output}};
  report["cases"] = ordered_json::array();
  for (const CheckedCase& checked : record.cases) {
    report["cases"].push_back(case_part(exercise, record, checked, timings));
  }
  if (timings == Timings::include) {
    report["timings"] = {{"build_ms", record.build_ms}, {"wall_ms", record.wall_ms}};
  }
  return report;
}

std::string report_text(const ordered_json& report) {
  return report.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace driver
