// SPDX-License-Identifier: MIT
//
// All that comes from a submission goes through printable() on its way to the terminal.

#include "driver/core/case_text.hpp"

#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace driver {
namespace {

constexpr std::size_t most_violations = 4;
constexpr std::size_t events_before = 8;
constexpr std::size_t events_after = 4;
constexpr std::size_t most_output_lines = 30;

std::string violation_text(const Exercise& exercise, const Violation& violation, const Paint& paint,
                           const Language& in) {
  const std::string sentence = rule_sentence(exercise, violation.rule);
  std::string text = "  " + paint.bad(violation.rule.empty() ? "-" : violation.rule);
  text += sentence.empty() ? "\n" : "  " + sentence + "\n";
  const std::string when = violation.time_ns ? in("at {0}: ", {time_text(*violation.time_ns)}) : "";
  if (!violation.message.empty()) {
    text += "      " + when + printable(in.sentence(violation.message), 2000) + "\n";
  }
  if (!violation.expected.is_null() || !violation.actual.is_null()) {
    text += "      " + in("expected  {0}", {brief(violation.expected)}) + "\n";
    text += "      " + in("actual    {0}", {brief(violation.actual)}) + "\n";
  }
  return text;
}

std::string fields_text(const nlohmann::json& fields) {
  std::string text;
  if (fields.is_object()) {
    for (const auto& [key, value] : fields.items()) {
      const std::string shown =
          value.is_string() ? printable(value.get_ref<const std::string&>(), 80) : brief(value);
      text += (text.empty() ? "" : "  ") + printable(key, 40) + " " + shown;
    }
  }
  return text;
}

std::string event_text(const Event& event, bool is_marked, const Paint& paint) {
  std::string time = time_text(event.time_ns);
  time.insert(0, time.size() < 11 ? 11 - time.size() : 0, ' ');
  std::string name = printable(event.name, 40);
  const std::string fields = fields_text(event.fields);
  if (!fields.empty()) {
    name.resize(std::max<std::size_t>(name.size(), 14), ' ');
    name += "  " + fields;
  }
  return "    " + (is_marked ? paint.bad(">") : " ") + time + "  " + name + "\n";
}

/// The events around the first violation, or the last ones when it has no time.
std::string timeline_text(const CheckedCase& checked, const Paint& paint, const Language& in) {
  const RunLog* run = judged_run(checked);
  if (run == nullptr || run->events.empty()) {
    return "";
  }
  const auto& violations = checked.judgement.violations;
  const std::optional<std::int64_t> marked =
      violations.empty() ? std::nullopt : violations.front().time_ns;
  const std::size_t count = run->events.size();
  std::size_t center = count - 1;
  if (marked) {
    const auto first = std::ranges::find_if(
        run->events, [&marked](const Event& event) { return event.time_ns >= *marked; });
    center = std::min(count - 1, static_cast<std::size_t>(first - run->events.begin()));
  }
  const std::size_t begin = center > events_before ? center - events_before : 0;
  const std::size_t end = std::min(count, center + events_after + 1);
  std::string text = "  " + in("timeline, in virtual time") + "\n";
  text += begin > 0 ? "      " + in("({0} events before)", {std::to_string(begin)}) + "\n" : "";
  for (std::size_t index = begin; index < end; ++index) {
    const Event& event = run->events[index];
    text += event_text(event, marked && event.time_ns == *marked, paint);
  }
  const std::string after = std::to_string(count - end);
  return text + (end < count ? "      " + in("({0} events after)", {after}) + "\n" : "");
}

/// How a case failed that passes under fifo.
std::string schedule_line(const CheckedCase& checked, const Language& in) {
  const RunLog* run = judged_run(checked);
  if (run == nullptr || checked.found_by.empty()) {
    return "";
  }
  const auto path = protocol::parse_schedule(run->schedule);
  const std::size_t choices = path ? path->path.size() : 0;
  return "  " +
         in("only under some orders of events: found by {0}, shortened to {1} that differ from "
            "fifo",
            {checked.found_by, in.plural(choices, "choice")}) +
         "\n";
}

std::string output_text(const std::string& title, const std::string& output, const Language& in) {
  if (output.empty()) {
    return "";
  }
  std::string text = "  " + in(title) + "\n";
  std::size_t lines = 0;
  for (std::size_t at = 0; at < output.size(); ++lines) {
    if (lines == most_output_lines) {
      return text + "      " + in("(the rest is in the JSON report)") + "\n";
    }
    const std::size_t end = std::min(output.find('\n', at), output.size());
    text += "      | " + printable(output.substr(at, end - at), 300) + "\n";
    at = end + 1;
  }
  return text;
}

/// What a case checks: as the exercise says it, or the case itself if it is not one of those.
std::string sentence_of(const Exercise& exercise, const Case& test_case) {
  const auto known = std::ranges::find(exercise.cases, test_case.name, &Case::name);
  return (known == exercise.cases.end() ? test_case : *known).data.value("checks", "");
}

}  // namespace

std::string Paint::painted(std::string_view code, std::string_view text) const {
  return colour_ ? "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m"
                 : std::string(text);
}

std::string time_text(std::int64_t nanoseconds) {
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%s%lld.%09lld", nanoseconds < 0 ? "-" : "",
                std::abs(static_cast<long long>(nanoseconds / 1'000'000'000)),
                std::abs(static_cast<long long>(nanoseconds % 1'000'000'000)));
  std::string text = buffer.data();
  while (text.ends_with('0') && text[text.size() - 4] != '.') {
    text.pop_back();
  }
  return text + " s";
}

std::string case_text(const Exercise& exercise, const CheckRecord& record,
                      const CheckedCase& checked, const Paint& paint, const Language& in) {
  const Judgement& judgement = checked.judgement;
  std::string text = paint.strong(printable(checked.test_case.name)) + ": " +
                     paint.bad(in(std::string(to_string(judgement.verdict)))) + "\n";
  const std::string checks = sentence_of(exercise, checked.test_case);
  text += checks.empty() ? "" : "  " + printable(checks, 1000) + "\n";
  const std::string summary = in.sentence(judgement.summary);
  text += summary.empty() ? "" : "  " + printable(summary, 2000) + "\n";
  text += schedule_line(checked, in);
  const std::size_t shown = std::min(judgement.violations.size(), most_violations);
  for (std::size_t index = 0; index < shown; ++index) {
    text += violation_text(exercise, judgement.violations[index], paint, in);
  }
  if (judgement.violations.size() > shown) {
    const std::string more = std::to_string(judgement.violations.size() - shown);
    text += "  " + in("and {0} more in the JSON report (--json FILE)", {more}) + "\n";
  }
  text += timeline_text(checked, paint, in);
  text += output_text("its stdout", checked.run.stdout_text, in);
  text += output_text("its stderr", checked.run.stderr_text, in);
  return text + "  " + in("again: {0}", {printable(reproduce_command(record, checked), 2000)}) +
         "\n";
}

}  // namespace driver
