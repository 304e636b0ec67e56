// SPDX-License-Identifier: MIT

#include "driver/core/unseen.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace driver {
namespace {

using nlohmann::json;

const std::string mark = "unseen_of";

/// Multiplies every number under one of the keys, at any depth; in an array under a key, each.
void scale(json& value, const std::set<std::string>& keys, double factor, bool is_time) {
  if (is_time && value.is_number()) {
    value = value.get<double>() * factor;
  } else if (value.is_array()) {
    for (json& element : value) {
      scale(element, keys, factor, is_time);
    }
  } else if (value.is_object()) {
    for (auto& [key, member] : value.items()) {
      scale(member, keys, factor, keys.contains(key));
    }
  }
}

/// The cases that can be drawn: with events and a golden that knows no ties.
std::vector<Case> originals(const Exercise& exercise) {
  std::vector<Case> cases;
  for (const Case& test_case : exercise.cases) {
    const json golden = exercise.golden.value(test_case.name, json::object());
    if (golden.contains("report") && !golden.value("tie", false)) {
      cases.push_back(test_case);
    }
  }
  return cases;
}

}  // namespace

std::uint64_t seed_of(const std::string& submission_digest) {
  constexpr std::size_t digits = 15;
  const std::string hex = submission_digest.substr(submission_digest.find(':') + 1, digits);
  return hex.empty() ? 0 : std::stoull(hex, nullptr, 16);
}

void add_unseen_cases(Exercise& exercise, std::uint64_t seed) {
  const json wanted = exercise.config.value("unseen", json::object());
  std::vector<Case> cases = originals(exercise);
  const auto count = std::min(wanted.value("count", std::size_t{0}), cases.size());
  const auto keys = wanted.value("times", std::set<std::string>());
  std::mt19937_64 random(seed);
  for (std::size_t index = 0; index < count; ++index) {
    std::swap(cases[index], cases[index + random() % (cases.size() - index)]);
    // Sixteenths, from a half to two: times stay far enough from each other not to become ties.
    const double factor = static_cast<double>(8 + random() % 25) / 16.0;
    Case drawn = cases[index];
    json golden = exercise.golden.at(drawn.name);
    scale(drawn.data, keys, factor, false);
    scale(golden, {"t"}, factor, false);
    drawn.data[mark] = drawn.name;
    drawn.data["checks"] = "The case " + drawn.name +
                           " with all times multiplied by a factor that " +
                           "is drawn for each submission.";
    drawn.name = "unseen_" + std::to_string(index + 1);
    drawn.data["name"] = drawn.name;
    drawn.data.erase("exhaustive");
    exercise.golden[drawn.name] = std::move(golden);
    exercise.cases.push_back(std::move(drawn));
  }
}

bool is_unseen(const Case& test_case) { return test_case.data.contains(mark); }

}  // namespace driver
