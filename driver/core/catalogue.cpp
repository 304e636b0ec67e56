// SPDX-License-Identifier: MIT
//
// Loading of catalog/<slug>: each file against its schema, then the parts against each other.

#include "driver/core/catalogue.hpp"

#include "driver/core/case_file.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/nearest.hpp"
#include "driver/core/overlay.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The folder of an exercise, and that of what it shares with others, if it does.
class Folders {
 public:
  Folders(fs::path catalog, const std::string& slug)
      : catalog_(std::move(catalog)), own_(catalog_ / slug), config_(load(own_, "exercise")) {
    if (const std::string name = config_.value("shares", ""); !name.empty()) {
      shared_ = catalog_ / name;
      config_ = overlay(load(shared_, "shared"), config_);
    }
  }

  const fs::path& own() const { return own_; }
  const json& config() const { return config_; }

  /// The array `key` of the file `name`.json, whose elements are told apart by `id`.
  json array(const std::string& name, const std::string& key, const std::string& id) const {
    const json own = load(own_, name).at(key);
    return shared_.empty() ? own : overlay_by(id, load(shared_, name).at(key), own);
  }

  std::vector<Case> cases() const {
    json content = read_json(own_ / "cases.json");
    if (!shared_.empty()) {
      const json shared = read_json(shared_ / "cases.json");
      content.at("cases") = overlay_by("name", shared.at("cases"), content.at("cases"));
    }
    return cases_from(std::move(content), own_ / "cases.json", catalog_, case_schema());
  }

  /// The exercise's own entries replace those of the same name that it shares.
  json goldens() const {
    json golden = shared_.empty() ? json::object() : goldens_of(shared_);
    golden.update(goldens_of(own_));
    return golden;
  }

  fs::path case_schema() const { return (shared_.empty() ? own_ : shared_) / "case.schema.json"; }

 private:
  json load(const fs::path& folder, const std::string& name) const {
    return read_valid_json(folder / (name + ".json"),
                           catalog_ / "schema" / (name + ".schema.json"));
  }

  json goldens_of(const fs::path& folder) const;

  fs::path catalog_;
  fs::path own_;
  fs::path shared_;
  json config_;
};

json Folders::goldens_of(const fs::path& folder) const {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder / "golden")) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  json golden = json::object();
  for (const fs::path& file : files) {
    json entries = load_golden_file(file, catalog_);
    for (auto& [name, entry] : entries.items()) {
      if (golden.contains(name)) {
        throw BadInput(file.string() + ": the case " + in_quotes(name) + " has an entry already");
      }
      golden[name] = std::move(entry);
    }
  }
  return golden;
}

void check_slug(const fs::path& catalog, const std::string& slug) {
  const std::vector<std::string> slugs = exercise_slugs(catalog);
  if (std::ranges::find(slugs, slug) != slugs.end()) {
    return;
  }
  std::string list;
  for (const std::string& known : slugs) {
    list += (list.empty() ? "" : ", ") + known;
  }
  const std::string near = did_you_mean(slug, slugs);
  throw BadInput("no exercise " + in_quotes(slug) +
                 (near.empty() ? " (there are: " + list + ")" : near));
}

}  // namespace

std::vector<std::string> exercise_slugs(const fs::path& catalog) {
  std::vector<std::string> slugs;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(catalog, failed)) {
    if (fs::exists(entry.path() / "exercise.json", failed)) {
      slugs.push_back(entry.path().filename().string());
    }
  }
  if (failed) {
    throw GraderFault("the catalogue " + catalog.string() + " cannot be read");
  }
  std::ranges::sort(slugs);
  return slugs;
}

Exercise load_exercise(const fs::path& catalog, const std::string& slug) {
  check_slug(catalog, slug);
  try {
    const Folders folders(catalog, slug);
    Exercise exercise;
    exercise.slug = slug;
    exercise.folder = folders.own();
    exercise.case_schema = folders.case_schema();
    exercise.config = folders.config();
    exercise.rules = folders.array("rules", "rules", "id");
    exercise.pitfalls = folders.array("pitfalls", "pitfalls", "title");
    exercise.cases = folders.cases();
    exercise.golden = folders.goldens();
    if (!exercise.config.contains("schedules")) {
      throw BadInput((folders.own() / "exercise.json").string() + ": expected a key \"schedules\"");
    }
    if (exercise.config.at("slug") != slug) {
      throw BadInput((folders.own() / "exercise.json").string() + ": at /slug: expected " +
                     in_quotes(slug));
    }
    return exercise;
  } catch (const BadInput& error) {
    throw GraderFault("the catalogue is broken: " + std::string(error.what()));
  } catch (const fs::filesystem_error& error) {
    throw GraderFault("the catalogue is broken: " + std::string(error.what()));
  }
}

Exercise with_own_cases(Exercise exercise, const fs::path& cases,
                        const std::optional<fs::path>& golden) {
  const fs::path catalog = exercise.folder.parent_path();
  std::vector<std::string> scenarios;
  for (const Case& known : exercise.cases) {
    scenarios.push_back(known.data.value("scenario", ""));
  }
  exercise.cases = load_case_file(cases, catalog, exercise.case_schema);
  for (const Case& own : exercise.cases) {
    const std::string scenario = own.data.value("scenario", "");
    if (std::ranges::find(scenarios, scenario) == scenarios.end() && !scenario.empty()) {
      throw BadInput(cases.string() + ": the case " + in_quotes(own.name) +
                     " asks for the scenario " + in_quotes(scenario) + ", which " + exercise.slug +
                     " does not have" + did_you_mean(scenario, scenarios));
    }
  }
  exercise.golden = golden ? load_golden_file(*golden, catalog) : json::object();
  return exercise;
}

std::vector<std::string> Exercise::layers() const {
  return config.contains("shares") ? std::vector{config.at("shares").get<std::string>(), slug}
                                   : std::vector{slug};
}

std::string rule_sentence(const Exercise& exercise, const std::string& id) {
  const auto rule = std::ranges::find_if(
      exercise.rules, [&id](const json& candidate) { return candidate.at("id") == id; });
  return rule == exercise.rules.end() ? "" : rule->at("sentence").get<std::string>();
}

std::vector<std::string> catalogue_gaps(const Exercise& exercise) {
  std::vector<std::string> gaps;
  std::set<std::string> rules;
  std::set<std::string> cases;
  for (const json& rule : exercise.rules) {
    if (!rules.insert(rule.at("id").get<std::string>()).second) {
      gaps.push_back("rules.json has the rule " + rule.at("id").dump() + " twice");
    }
  }
  const auto check_rules = [&rules, &gaps](const json& named, const std::string& where) {
    for (const json& rule : named) {
      if (!rules.contains(rule.get<std::string>())) {
        gaps.push_back(where + " names the rule " + rule.dump() + ", which does not exist");
      }
    }
  };
  for (const Case& test_case : exercise.cases) {
    cases.insert(test_case.name);
    check_rules(test_case.data.value("rules", json::array()), "case " + test_case.name);
    if (!exercise.golden.contains(test_case.name)) {
      gaps.push_back("case " + test_case.name + " has no golden entry");
    }
  }
  for (const auto& [name, entry] : exercise.golden.items()) {
    if (!cases.contains(name)) {
      gaps.push_back("golden entry " + name + " belongs to no case");
    }
  }
  for (const json& pitfall : exercise.pitfalls) {
    check_rules(pitfall.at("rules"), "pitfall " + pitfall.at("title").dump());
    for (const json& name : pitfall.at("cases")) {
      if (!cases.contains(name.get<std::string>())) {
        gaps.push_back("pitfall " + pitfall.at("title").dump() + " names the case " + name.dump() +
                       ", which does not exist");
      }
    }
  }
  return gaps;
}

}  // namespace driver
