// SPDX-License-Identifier: MIT
#include "driver/core/passes.hpp"

#include "driver/core/catalogue.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/submission.hpp"
#include "driver/core/text_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <system_error>
#include <vector>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

using Passes = std::map<std::string, Pass>;

Pass read_pass(const std::string& exercise, const json& entry) {
  return {.exercise = exercise,
          .folder = entry.at("folder").get<std::string>(),
          .submission = entry.at("submission").get<std::string>(),
          .kit = entry.at("kit").get<std::string>()};
}

Passes read_passes(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return {};
  }
  const json content = read_json(file);
  try {
    if (content.at("format") != 1) {
      throw BadInput(printable(file.string()) + ": at /format: expected 1");
    }
    Passes passes;
    for (const auto& [exercise, entry] : content.at("passes").items()) {
      passes[exercise] = read_pass(exercise, entry);
    }
    return passes;
  } catch (const json::exception& error) {
    throw BadInput(printable(file.string()) + " is no list of passes (" + error.what() +
                   "); move it away");
  }
}

std::string text_of(const Passes& passes) {
  ordered_json entries = ordered_json::object();
  for (const auto& [exercise, pass] : passes) {
    entries[exercise] = {
        {"folder", pass.folder.string()}, {"submission", pass.submission}, {"kit", pass.kit}};
  }
  return ordered_json{{"format", 1}, {"passes", entries}}.dump(2) + "\n";
}

/// Why a pass does not hold any more; "" while it does.
std::string staleness(const Pass& pass, const Exercise& exercise, const Kit& kit) {
  try {
    if (inspect_submission(pass.folder, exercise, kit).digest != pass.submission) {
      return "changed since it passed";
    }
  } catch (const BadInput& error) {
    return error.what();
  }
  return pass.kit == kit_digest(kit, exercise) ? "" : "passed older cases";
}

}  // namespace

std::optional<fs::path> passes_file() {
  const auto folder = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
    return value != nullptr ? value : "";
  };
  if (const fs::path state = folder("XDG_STATE_HOME"); state.is_absolute()) {
    return state / "ol" / "passes.json";
  }
  if (const fs::path home = folder("HOME"); home.is_absolute()) {
    return home / ".local" / "state" / "ol" / "passes.json";
  }
  return std::nullopt;
}

void note_pass(const fs::path& file, const Pass& pass) {
  Passes passes = read_passes(file);
  passes[pass.exercise] = pass;
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  replace_file(file, text_of(passes));
}

void print_status(const std::optional<fs::path>& file, const Kit& kit, std::ostream& out) {
  const Passes passes = file ? read_passes(*file) : Passes();
  std::map<std::string, std::vector<std::string>> milestones;  // and the exercises they still need
  for (const std::string& slug : exercise_slugs(kit.catalog())) {
    const Exercise exercise = load_exercise(kit.catalog(), slug);
    const auto pass = passes.find(slug);
    const std::string stale =
        pass == passes.end() ? "no pass yet" : staleness(pass->second, exercise, kit);
    out << slug << "  " << (stale.empty() ? "fresh pass" : stale);
    out << (pass == passes.end() ? "" : ", in " + printable(pass->second.folder.string())) << "\n";
    if (const std::string milestone = exercise.config.value("milestone", ""); !milestone.empty()) {
      std::vector<std::string>& needs = milestones[milestone];
      if (!stale.empty()) needs.push_back(slug);
    }
  }
  for (const auto& [milestone, needs] : milestones) {
    out << "milestone " << milestone << ": ";
    std::string list;
    for (const std::string& slug : needs) list += (list.empty() ? "" : ", ") + slug;
    out << (needs.empty() ? "complete" : "needs a fresh pass of " + list) << "\n";
  }
}

}  // namespace driver
