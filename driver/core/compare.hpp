// SPDX-License-Identifier: MIT
//
// `ol compare`: is a report what it should be? For continuous integration, where a golden says what
// a known submission gives.

#pragma once

#include "driver/core/errors.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace driver {

/// One place where two JSON values differ.
struct ReportDifference {
  std::string path;  ///< JSON pointer; a case is named by its name.
  std::string report;
  std::string golden;
};

/// Gives a value with what has no order put in one: entries of one instant in a timeline, a log or
/// a list of metrics, results yielded at one instant, and the members of a group.
nlohmann::json canonical(const nlohmann::json& observed);

/// Gives the places where two values differ, "absent" for a missing one.
/// Bounds: stops after 200.
std::vector<ReportDifference> differences(const nlohmann::json& report,
                                          const nlohmann::json& golden,
                                          const std::string& path = "");

/// Compares a report with a golden, which is another report or a golden file of the catalogue.
///
/// Shape: two reports are compared by exercise, verdict, schedule, summary, broken rules, and of
/// every case by verdict, report, observed and violations. With a golden file each case of the
/// report must give its entry or one of `also_allowed` (of a tie: one of `tie_reports`);
/// a bound such as `max_lead` may be smaller.
/// Errors: BadInput when either is neither.
std::vector<ReportDifference> compare_reports(const nlohmann::json& report,
                                              const nlohmann::json& golden);

/// Runs `ol compare`: prints each difference to `out`, then a line that counts them. `golden` may
/// also be a folder of golden files; without one, the goldens of the report's exercise in
/// `catalog` are used, which is not looked at otherwise. Errors: BadInput for unusable files.
ExitCode run_compare(const std::filesystem::path& report,
                     const std::optional<std::filesystem::path>& golden,
                     const std::filesystem::path& catalog, std::ostream& out);

}  // namespace driver
