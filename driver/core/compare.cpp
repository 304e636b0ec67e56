// SPDX-License-Identifier: MIT
//
// Differences are found on canonical values, case by case, so that one missing case is one line.

#include "driver/core/compare.hpp"

#include "driver/core/catalogue.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/text_file.hpp"
#include "driver/judge/golden.hpp"

#include <algorithm>
#include <set>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_differences = 200;

void add_all(std::vector<ReportDifference>& to, const std::vector<ReportDifference>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::string shown(const json* value) { return value == nullptr ? "absent" : brief(*value); }

void walk(const json* report, const json* golden, const std::string& path,
          std::vector<ReportDifference>& found) {
  if (found.size() >= most_differences || (report && golden && *report == *golden)) {
    return;
  }
  if (report && golden && report->is_object() && golden->is_object()) {
    std::set<std::string> keys;
    for (const json* side : {report, golden}) {
      for (const auto& [key, value] : side->items()) {
        keys.insert(key);
      }
    }
    for (const std::string& key : keys) {
      walk(report->contains(key) ? &report->at(key) : nullptr,
           golden->contains(key) ? &golden->at(key) : nullptr, path + pointer_step(key), found);
    }
    return;
  }
  if (report && golden && report->is_array() && golden->is_array()) {
    for (std::size_t index = 0; index < std::max(report->size(), golden->size()); ++index) {
      walk(index < report->size() ? &report->at(index) : nullptr,
           index < golden->size() ? &golden->at(index) : nullptr,
           path + "/" + std::to_string(index), found);
    }
    return;
  }
  found.push_back({path, shown(report), shown(golden)});
}

/// The keys of `value` that are compared, canonical.
json selected(const json& value, const std::vector<std::string>& keys) {
  json result = json::object();
  for (const std::string& key : keys) {
    if (value.contains(key)) {
      result[key] = key == "observed" ? canonical(value.at(key)) : value.at(key);
    }
  }
  return result;
}

bool is_report(const json& value) {
  return value.is_object() && value.contains("cases") && value.at("cases").is_array() &&
         std::ranges::all_of(value.at("cases"), [](const json& item) {
           return item.is_object() && item.contains("name") && item.at("name").is_string();
         });
}

json cases_by_name(const json& report) {
  json cases = json::object();
  for (const json& item : report.at("cases")) {
    cases[item.at("name").get<std::string>()] = item;
  }
  return cases;
}

std::vector<ReportDifference> compare_two_reports(const json& report, const json& golden) {
  const std::vector<std::string> top{"exercise", "verdict", "schedule", "summary", "rules_failed"};
  const std::vector<std::string> per_case{"verdict", "schedule", "report", "observed",
                                          "violations"};
  std::vector<ReportDifference> found = differences(selected(report, top), selected(golden, top));
  json left = cases_by_name(report);
  json right = cases_by_name(golden);
  for (json* side : {&left, &right}) {
    for (auto& [name, item] : side->items()) {
      item = selected(item, per_case);
    }
  }
  add_all(found, differences(left, right, "/cases"));
  return found;
}

/// Compares the golden's keys, and no others.
void walk_keys(const json& report, const json& golden, const std::string& path,
               std::vector<ReportDifference>& found) {
  for (const auto& [key, value] : golden.items()) {
    const json* given = report.contains(key) ? &report.at(key) : nullptr;
    if (given == nullptr || !is_right(key, value, *given)) {
      walk(given, &value, path + pointer_step(key), found);
    }
  }
}

std::vector<ReportDifference> differences_from(const json& item, const json& reading,
                                               const std::string& path) {
  std::vector<ReportDifference> found;
  walk_keys(canonical(item.value("report", json::object())),
            canonical(reading.value("report", json::object())), path + "/report", found);
  json observed = canonical(reading.value("observed", json::object()));
  // The timeline is compared by what follows from it; loop_errors are the oracle's own.
  observed.erase("timeline");
  observed.erase("loop_errors");
  walk_keys(canonical(item.value("observed", json::object())), observed, path + "/observed", found);
  return found;
}

std::vector<ReportDifference> compare_with_entry(const json& item, const json& entry,
                                                 const std::string& path) {
  std::vector<json> readings{entry};
  for (const json& reading : entry.value("also_allowed", json::array())) {
    readings.push_back(reading);
  }
  for (const json& report : entry.value("tie_reports", json::array())) {
    readings.push_back({{"report", report}});
  }
  std::vector<ReportDifference> best = differences_from(item, entry, path);
  for (const json& reading : readings) {
    std::vector<ReportDifference> found = differences_from(item, reading, path);
    if (found.size() < best.size()) {
      best = std::move(found);
    }
  }
  return best;
}

std::vector<ReportDifference> compare_with_golden(const json& report, const json& golden) {
  const json& entries = golden.contains("format") ? golden.at("cases") : golden;
  std::vector<ReportDifference> found;
  const json cases = cases_by_name(report);
  for (const auto& [name, item] : cases.items()) {
    const std::string path = "/cases" + pointer_step(name);
    if (item.contains("unseen_of") && !item.at("unseen_of").is_null()) {
      continue;  // drawn for the submission: no golden file has it
    }
    if (!entries.contains(name)) {
      found.push_back({path, "present", "absent"});
    } else {
      add_all(found, compare_with_entry(item, entries.at(name), path));
    }
  }
  return found;
}

bool is_golden_file(const json& value) {
  if (!value.is_object()) {
    return false;
  }
  const bool is_full = value.contains("format");
  if (is_full && (!value.contains("cases") || !value.at("cases").is_object())) {
    return false;
  }
  const json& entries = is_full ? value.at("cases") : value;
  return !entries.empty() && std::ranges::all_of(entries, [](const json& entry) {
    return entry.is_object() && entry.contains("observed");
  });
}

/// A golden file, or all golden files of a folder as one.
json read_golden(const fs::path& golden, const JsonLimits& limits) {
  std::error_code ignored;
  if (!fs::is_directory(golden, ignored)) {
    return read_json(golden, limits);
  }
  json entries = json::object();
  for (const auto& file : fs::directory_iterator(golden)) {
    if (file.path().extension() == ".json") {
      const json content = read_json(file.path(), limits);
      if (!is_golden_file(content)) {
        throw BadInput(printable(file.path().string()) + ": is no golden file");
      }
      entries.update(content.contains("format") ? content.at("cases") : content);
    }
  }
  return entries;
}

json goldens_for(const json& report, const fs::path& catalog) {
  if (!report.is_object() || !report.contains("exercise") || !report.at("exercise").is_string()) {
    throw BadInput("the file is no report: expected the name of an exercise at /exercise");
  }
  return load_exercise(catalog, report.at("exercise").get<std::string>()).golden;
}

}  // namespace

std::vector<ReportDifference> differences(const json& report, const json& golden,
                                          const std::string& path) {
  std::vector<ReportDifference> found;
  walk(&report, &golden, path, found);
  return found;
}

std::vector<ReportDifference> compare_reports(const json& report, const json& golden) {
  if (!is_report(report)) {
    throw BadInput(
        "the first file is no report: expected an object whose \"cases\" is an array "
        "of named cases");
  }
  if (is_report(golden)) {
    return compare_two_reports(report, golden);
  }
  if (!is_golden_file(golden)) {
    throw BadInput("the second file is neither a report nor a golden file");
  }
  return compare_with_golden(report, golden);
}

ExitCode run_compare(const fs::path& report, const std::optional<fs::path>& golden,
                     const fs::path& catalog, std::ostream& out) {
  const JsonLimits limits{.bytes = 512U << 20U, .depth = 64, .values = 50'000'000};
  const json content = read_json(report, limits);
  const std::vector<ReportDifference> found = compare_reports(
      content, golden ? read_golden(*golden, limits) : goldens_for(content, catalog));
  for (const ReportDifference& difference : found) {
    out << printable(difference.path) << "\n  report  " << difference.report << "\n  golden  "
        << difference.golden << "\n";
  }
  if (found.empty()) {
    out << "same\n";
    return ExitCode::pass;
  }
  out << found.size() << (found.size() >= most_differences ? " or more" : "")
      << (found.size() == 1 ? " difference\n" : " differences\n");
  return ExitCode::fail;
}

}  // namespace driver
