// SPDX-License-Identifier: MIT
//
// Compares what was reported with what right solutions report, wherever the statement leaves room.

#pragma once

#include "driver/core/run_log.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// One key of a report that differs from every right one.
struct Difference {
  std::string key;
  nlohmann::json expected;
  nlohmann::json actual;
};

/// Whether a value under this key is as the golden has it. A number whose key begins with "max_" is
/// what a right solution reaches at most: one that is more cautious is as right.
bool is_right(std::string_view key, const nlohmann::json& expected, const nlohmann::json& actual);

/// Compares a report with a golden entry; gives nothing when it equals one of the reports there.
/// Otherwise the differences from the nearest one.
///
/// The entries of every list named "log" may come in any order within one instant; times count to
/// 10 ns.
/// A tie is never decided here: other outcomes may be as right as those that were seen. Nor is a
/// run in which the producer pulled later, or less, than in the golden's timeline, as everything
/// after that may be different.
std::vector<Difference> compare_report(const RunLog& run, const nlohmann::json& entry);

/// Compares what a scenario observed, key by key, in the same way.
std::vector<Difference> compare_scenario(const nlohmann::json& observed,
                                         const nlohmann::json& entry);

}  // namespace driver
