// SPDX-License-Identifier: MIT
//
// From the many (a line for each case) to the one thing to do next.

#include "driver/core/text_report.hpp"

#include "driver/core/case_text.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace driver {
namespace {

/// Failed cases with one cause: a broken rule, or a verdict without one.
struct Cause {
  std::string title;
  std::string sentence;
  std::vector<const CheckedCase*> cases;
  bool is_rule = false;
};

bool has_failed(const CheckedCase& checked) { return checked.judgement.verdict != Verdict::pass; }

/// Whether the case got as far as an observation of its own.
bool is_judged(const CheckedCase& checked) {
  const Verdict verdict = checked.judgement.verdict;
  return verdict != Verdict::not_implemented && verdict != Verdict::grader_fault &&
         judged_run(checked) != nullptr;
}

/// Failures by cause. What kept a case from being judged comes before broken rules: it may well be
/// why they look broken. After that, the cause of most failures comes first.
std::vector<Cause> causes_of(const Exercise& exercise, const CheckRecord& record) {
  std::map<std::string, Cause> by_title;
  for (const CheckedCase& checked : record.cases) {
    if (!has_failed(checked)) {
      continue;
    }
    const bool is_rule = checked.judgement.verdict == Verdict::wrong && !root_rule(checked).empty();
    const std::string title =
        is_rule ? root_rule(checked) : std::string(to_string(checked.judgement.verdict));
    Cause& cause = by_title[title];
    cause.title = title;
    cause.is_rule = is_rule;
    cause.sentence = is_rule ? rule_sentence(exercise, title) : checked.judgement.summary;
    cause.cases.push_back(&checked);
  }
  std::vector<Cause> causes;
  for (auto& [title, cause] : by_title) {
    causes.push_back(std::move(cause));
  }
  std::ranges::sort(causes, {}, [](const Cause& cause) {
    return std::tuple(cause.is_rule, -static_cast<long>(cause.cases.size()), cause.title);
  });
  return causes;
}

/// The cases to show in full: the first of each cause, then seconds.
std::vector<const CheckedCase*> detailed(const std::vector<Cause>& causes, std::size_t most) {
  std::vector<const CheckedCase*> chosen;
  std::size_t longest = 0;
  for (const Cause& cause : causes) {
    longest = std::max(longest, cause.cases.size());
  }
  for (std::size_t round = 0; round < longest; ++round) {
    for (const Cause& cause : causes) {
      // Of cases that were never judged one says it all.
      const bool is_told = round > 0 && !is_judged(*cause.cases.front());
      if (round < cause.cases.size() && chosen.size() < most && !is_told) {
        chosen.push_back(cause.cases[round]);
      }
    }
  }
  return chosen;
}

/// The verdict as people read it.
std::string verdict_text(Verdict verdict, const Language& in) {
  return in(std::string(to_string(verdict)));
}

std::string case_line(const CheckedCase& checked, const Paint& paint, const Language& in) {
  std::string verdict = verdict_text(checked.judgement.verdict, in);
  verdict.resize(std::max<std::size_t>(verdict.size() + 1, 17), ' ');
  const bool failed = has_failed(checked);
  std::string line = "  " + (failed ? paint.bad(verdict) : paint.good(verdict)) +
                     printable(checked.test_case.name);
  if (failed && !checked.judgement.summary.empty()) {
    line += "  " + paint.faint(printable(in.sentence(checked.judgement.summary), 160));
  }
  return line + "\n";
}

std::string counts_line(const CheckRecord& record, const Language& in) {
  std::string line;
  for (const auto& [verdict, count] : count_verdicts(record)) {
    if (count > 0) {
      line +=
          (line.empty() ? ": " : ", ") + std::to_string(count) + " " + verdict_text(verdict, in);
    }
  }
  std::size_t runs = 0;
  std::size_t searched = 0;
  for (const CheckedCase& checked : record.cases) {
    runs += checked.runs;
    searched += checked.run.saw_all.value_or(false) ? 1 : 0;
  }
  line += "; " + in.plural(runs, "run");
  line += searched > 0 ? in(", in {0} every order of events", {in.plural(searched, "case")}) : "";
  return in.plural(record.cases.size(), "case") + line + "\n";
}

std::string causes_text(const std::vector<Cause>& causes, const Paint& paint, const Language& in) {
  std::string text = causes.empty() ? "" : in("failures by cause, the likely root first") + "\n";
  for (const Cause& cause : causes) {
    text += "  " + paint.bad(in(cause.title)) + "  " +
            in("{0}, as {1}", {in.plural(cause.cases.size(), "case"),
                               printable(cause.cases.front()->test_case.name)});
    const std::string sentence = in.sentence(cause.sentence);
    text += sentence.empty() ? "\n" : ": " + printable(sentence, 300) + "\n";
  }
  return text;
}

std::string next_step(const Exercise& exercise, const CheckRecord& record,
                      const std::vector<Cause>& causes, const Language& in) {
  const auto file = exercise.config.at("files").at(0).get<std::string>();
  if (causes.empty()) {
    return in("next: hand in {0}; to try more orders of events, add --schedules 500", {file}) +
           "\n";
  }
  const Cause& first = causes.front();
  switch (first.cases.front()->judgement.verdict) {
    case Verdict::build_failed:
      return in("next: make it compile; the first error counts") + "\n";
    case Verdict::grader_fault:
      return in("next: this is not the submission's fault; tell the course staff (ol doctor)") +
             "\n";
    case Verdict::not_implemented:
      return in("next: write what {0} marks with TODO", {file}) + "\n";
    default:
      break;
  }
  return in(first.is_rule ? "next: rule {0}; one case alone: {1}"
                          : "next: {0}; one case alone: {1}",
            {in(first.title), printable(reproduce_command(record, *first.cases.front()), 2000)}) +
         "\n";
}

std::string head(const Exercise& exercise, const CheckRecord& record, const Language& in) {
  std::string text =
      in("{0}: {1}, schedule {2}, {3}", {exercise.slug, in.plural(record.cases.size(), "case"),
                                         in.sentence(record.schedule), record.compiler}) +
      "\n";
  for (const std::string& warning : record.warnings) {
    text += in("warning: {0}", {printable(in.sentence(warning), 1000)}) + "\n";
  }
  return text;
}

}  // namespace

std::string text_report(const Exercise& original, const CheckRecord& record,
                        const TextOptions& options) {
  const Language& in = options.language;
  const Exercise exercise = in.translated(original);
  const Paint paint(options.colour);
  const std::vector<Cause> causes = causes_of(exercise, record);
  std::string text = head(exercise, record, in);
  if (!record.build.is_ok) {
    return text + "\n" + paint.bad(in(std::string(overall_verdict(record)))) + "\n" +
           printable_lines(record.build.output) + "\n" + next_step(exercise, record, causes, in);
  }
  for (const CheckedCase& checked : record.cases) {
    text += case_line(checked, paint, in);
  }
  const auto shown = detailed(causes, options.most_details);
  for (const CheckedCase* checked : shown) {
    text += "\n" + case_text(exercise, record, *checked, paint, in);
  }
  std::size_t failed = 0;
  for (const Cause& cause : causes) {
    failed += cause.cases.size();
  }
  if (failed > shown.size()) {
    text += "\n" +
            in("{0} not shown in full; --case NAME shows one",
               {in.plural(failed - shown.size(), "more failed case")}) +
            "\n";
  }
  return text + "\n" + counts_line(record, in) + causes_text(causes, paint, in) +
         next_step(exercise, record, causes, in);
}

bool wants_colour(int fd) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(fd) == 1 && (refused == nullptr || *refused == '\0');
}

}  // namespace driver
