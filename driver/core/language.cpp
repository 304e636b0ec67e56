// SPDX-License-Identifier: MIT
//
// Texts are looked up by their English form, as with gettext. gettext itself ignores translations
// in the C locale, the only one that a small Debian has.

#include "driver/core/language.hpp"

#include "driver/core/case_file.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/nearest.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string filled(const std::string& text, const std::vector<std::string>& values) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_place = text.size() - at >= 3 && text[at] == '{' && text[at + 2] == '}' &&
                          text[at + 1] >= '0' && text[at + 1] <= '9';
    const auto index = is_place ? static_cast<std::size_t>(text[at + 1] - '0') : values.size();
    if (index < values.size()) {
      result += values[index];
      at += 3;
    } else {
      result += text[at++];
    }
  }
  return result;
}

/// What stands in the places {0}, {1} and so on of `pattern`, in this order, when it fits `text`;
/// each value is as short as it can be.
std::optional<std::vector<std::string>> match(const std::string& pattern, const std::string& text) {
  std::vector<std::string> values;
  std::size_t at = 0;
  std::size_t begin = 0;
  for (std::size_t count = 0;; ++count) {
    const std::size_t place = pattern.find("{" + std::to_string(count) + "}", begin);
    const std::string literal = pattern.substr(begin, place - begin);
    const bool is_last = place == std::string::npos;
    std::size_t found = text.find(literal, at);
    if (is_last && text.size() >= literal.size() && count > 0) {
      found = text.ends_with(literal) ? text.size() - literal.size() : std::string::npos;
    }
    if (found == std::string::npos || found < at || (count == 0 && found != 0)) {
      return std::nullopt;
    }
    if (count > 0) {
      values.push_back(text.substr(at, found - at));
    }
    at = found + literal.size();
    if (is_last) {
      return at == text.size() ? std::optional(values) : std::nullopt;
    }
    begin = place + 3;
  }
}

/// The translation of `key` in `table`, else `english`.
std::string looked_up(const json& table, const std::string& key, const std::string& english) {
  return table.value(key, english);
}

void translate(json& object, const char* key, const json& words) {
  if (object.contains(key)) {
    object[key] = looked_up(words, key, object[key].get<std::string>());
  }
}

/// The names in `table` against those in `wanted`.
void compare_names(const std::string& what, const json& table, const std::set<std::string>& wanted,
                   std::vector<std::string>& gaps) {
  for (const std::string& name : wanted) {
    if (!table.contains(name)) {
      gaps.push_back("no " + what + " " + in_quotes(name));
    }
  }
  for (const auto& [name, text] : table.items()) {
    if (!wanted.contains(name)) {
      gaps.push_back("a " + what + " " + in_quotes(name) + " that the exercise does not have");
    }
  }
}

}  // namespace

std::vector<std::string> language_codes(const fs::path& catalog) {
  std::vector<std::string> codes;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(catalog / "languages", none)) {
    if (entry.path().extension() == ".json") {
      codes.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(codes);
  codes.insert(codes.begin(), "en");
  return codes;
}

Language Language::load(const fs::path& catalog, const std::string& code) {
  Language language;
  if (code.empty() || code == "en") {
    return language;
  }
  const std::vector<std::string> codes = language_codes(catalog);
  if (std::ranges::find(codes, code) == codes.end()) {
    std::string list;
    for (const std::string& known : codes) {
      list += (list.empty() ? "" : ", ") + known;
    }
    throw BadInput("no language " + in_quotes(code) + " (there are: " + list + ")");
  }
  try {
    language.content_ = read_valid_json(catalog / "languages" / (code + ".json"),
                                        catalog / "schema" / "language.schema.json");
  } catch (const BadInput& error) {
    throw GraderFault("the catalogue is broken: " + std::string(error.what()));
  }
  return language;
}

std::string Language::operator()(const std::string& text,
                                 const std::vector<std::string>& values) const {
  const bool is_english = content_.is_null();
  return filled(is_english ? text : looked_up(content_.at("messages"), text, text), values);
}

std::string Language::sentence(const std::string& text) const {
  if (content_.is_null()) {
    return text;
  }
  for (const auto& [english, translation] : content_.at("sentences").items()) {
    if (const auto values = match(english, text)) {
      return filled(translation.get<std::string>(), *values);
    }
  }
  constexpr std::size_t longest_rule = 8;
  const std::size_t colon = text.find(": ");
  return colon > longest_rule ? text : text.substr(0, colon + 2) + sentence(text.substr(colon + 2));
}

std::string Language::plural(std::size_t count, const std::string& what) const {
  return (*this)(count == 1 ? "{0} " + what : "{0} " + what + "s", {std::to_string(count)});
}

Exercise Language::translated(Exercise exercise) const {
  const json all = content_.is_null() ? json::object() : content_.at("exercises");
  if (!all.contains(exercise.slug)) {
    return exercise;
  }
  const json& words = all.at(exercise.slug);
  translate(exercise.config, "title", words);
  translate(exercise.config, "summary", words);
  exercise.config["needs"] = words.at("needs");
  for (json& rule : exercise.rules) {
    const auto id = rule.at("id").get<std::string>();
    rule["sentence"] = looked_up(words.at("rules"), id, rule.at("sentence"));
  }
  for (Case& test_case : exercise.cases) {
    const auto found = words.at("cases").find(test_case.name);
    if (found != words.at("cases").end()) {
      translate(test_case.data, "checks", *found);
      translate(test_case.data, "why", *found);
    }
    const auto family = test_case.data.value("family", "");
    test_case.data["family"] = looked_up(words.at("families"), family, family);
  }
  for (json& pitfall : exercise.pitfalls) {
    const auto found = words.at("pitfalls").find(pitfall.at("title").get<std::string>());
    if (found != words.at("pitfalls").end()) {
      translate(pitfall, "why", *found);
      translate(pitfall, "title", *found);
    }
  }
  return exercise;
}

std::vector<std::string> Language::gaps(const Exercise& exercise) const {
  std::vector<std::string> found;
  if (content_.is_null() || !content_.at("exercises").contains(exercise.slug)) {
    return found;
  }
  const json& words = content_.at("exercises").at(exercise.slug);
  std::set<std::string> rules;
  std::set<std::string> cases;
  std::set<std::string> families;
  std::set<std::string> pitfalls;
  for (const json& rule : exercise.rules) {
    rules.insert(rule.at("id").get<std::string>());
  }
  for (const Case& test_case : exercise.cases) {
    cases.insert(test_case.name);
    families.insert(test_case.data.value("family", ""));
  }
  for (const json& pitfall : exercise.pitfalls) {
    pitfalls.insert(pitfall.at("title").get<std::string>());
  }
  compare_names("rule", words.at("rules"), rules, found);
  compare_names("case", words.at("cases"), cases, found);
  compare_names("family", words.at("families"), families, found);
  compare_names("pitfall", words.at("pitfalls"), pitfalls, found);
  return found;
}

}  // namespace driver
