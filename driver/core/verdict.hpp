// SPDX-License-Identifier: MIT
//
// What a case can come to: one verdict, and the rules that were broken.

#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// What became of one case.
enum class Verdict {
  pass,
  wrong,
  not_implemented,
  crash,
  deadlock,
  livelock,
  blocked,
  time_limit,
  memory,
  output_limit,
  exited,
  build_failed,
  grader_fault
};

/// Every verdict, in the order of reports.
inline constexpr std::array all_verdicts{
    Verdict::pass,        Verdict::wrong,        Verdict::not_implemented, Verdict::crash,
    Verdict::deadlock,    Verdict::livelock,     Verdict::blocked,         Verdict::time_limit,
    Verdict::memory,      Verdict::output_limit, Verdict::exited,          Verdict::build_failed,
    Verdict::grader_fault};

/// Gives the verdict as people and reports read it, such as "blocked the loop".
std::string_view to_string(Verdict verdict);

/// One rule that a run broke.
///
/// Shape: `rule` is an id of rules.json, `check` the name of the check that saw it; `expected` and
/// `actual` are any JSON, null when there is nothing to compare.
struct Violation {
  std::string rule;
  std::string check;
  std::optional<std::int64_t> time_ns;
  std::string message;
  nlohmann::json expected;
  nlohmann::json actual;
};

/// The verdict on one case, with what it rests on.
struct Judgement {
  Verdict verdict = Verdict::pass;
  std::vector<Violation> violations;  ///< The first one is the root: the rest may follow from it.
  std::string summary;                ///< One line.
  std::size_t run = 0;                ///< Index of the run that was judged worst.
};

}  // namespace driver
