// SPDX-License-Identifier: MIT
//
// The walk over a value for its mistakes, keyword by keyword.

#include "driver/core/schema_checker.hpp"

#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/nearest.hpp"
#include "driver/core/schema_node.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace driver::schema {
namespace {

using nlohmann::json;

constexpr std::size_t most_errors = 20;

bool is_integer_text(const std::string& text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::string digits = text.substr(sign);
  const bool all_digits =
      std::ranges::all_of(digits, [](unsigned char letter) { return std::isdigit(letter) != 0; });
  const bool is_plain = digits.size() == 1 || !digits.starts_with('0');
  return all_digits && is_plain && !digits.empty() && digits.size() <= 19 && text != "-0";
}

std::size_t length_in_characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

/// " (did you mean 'x'?)", or "".
std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::optional<std::string> near = nearest(name, known);
  return near ? " (did you mean " + in_quotes(*near) + "?)" : "";
}

std::string suggestion(const json& value, const std::vector<json>& choices) {
  std::vector<std::string> names;
  for (const json& choice : choices) {
    if (choice.is_string()) {
      names.push_back(choice.get<std::string>());
    }
  }
  return value.is_string() ? suggestion(value.get_ref<const std::string&>(), names) : "";
}

std::string expected_key(const json& node, const std::string& key) {
  std::vector<std::string> known;
  std::string list;
  if (node.contains("properties")) {
    for (const auto& [name, property] : node.at("properties").items()) {
      known.push_back(name);
      list += (list.empty() ? "" : ", ") + name;
    }
  }
  const std::string near = suggestion(key, known);
  return near.empty() ? "one of the keys " + list : "a known key" + near;
}

}  // namespace

void Checker::check(const json& unresolved, const json& value, const std::string& pointer) {
  const json& node = resolve(root_, unresolved);
  if (is_full() || !check_type(node, value, pointer)) {
    return;
  }
  check_choice(node, value, pointer);
  check_number(node, value, pointer);
  if (value.is_string()) {
    check_size(node, length_in_characters(value.get_ref<const std::string&>()), "characters",
               pointer);
  }
  check_array(node, value, pointer);
  check_object(node, value, pointer);
  if (const json* part = conditional_part(node, value)) {
    check(*part, value, pointer);
  }
  if (node.contains("anyOf")) {
    check_branches(node.at("anyOf"), value, pointer);
  }
}

void Checker::add(const std::string& pointer, const std::string& expected,
                  const std::string& found) {
  if (!is_full()) {
    errors_.push_back({pointer, expected, found});
  }
}

bool Checker::is_full() const { return errors_.size() >= most_errors; }

bool Checker::check_type(const json& node, const json& value, const std::string& pointer) {
  if (accepts_type(root_, node, value)) {
    return true;
  }
  add(pointer, type_phrase(types_of(root_, node)) + range_phrase(node), brief(value));
  return false;
}

void Checker::check_choice(const json& node, const json& value, const std::string& pointer) {
  std::vector<json> choices;
  if (node.contains("const")) {
    choices.push_back(node.at("const"));
  } else if (node.contains("enum")) {
    choices = node.at("enum").get<std::vector<json>>();
  }
  if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
    add(pointer, choice_phrase(choices) + suggestion(value, choices), brief(value));
  }
}

void Checker::check_number(const json& node, const json& value, const std::string& pointer) {
  if (!value.is_number()) {
    return;
  }
  // Wide enough for every 64-bit integer, signed or not.
  const auto number = value.get<long double>();
  const auto bound = [&node](const char* key) { return node.at(key).get<long double>(); };
  if ((node.contains("minimum") && number < bound("minimum")) ||
      (node.contains("maximum") && number > bound("maximum")) ||
      (node.contains("exclusiveMinimum") && number <= bound("exclusiveMinimum"))) {
    add(pointer, type_phrase(types_of(root_, node)) + range_phrase(node), brief(value));
  }
}

void Checker::check_size(const json& node, std::size_t size, const std::string& unit,
                         const std::string& pointer) {
  const std::string suffix = unit == "entries" ? "Items" : "Length";
  const std::string found = std::to_string(size) + " " + unit;
  if (node.contains("min" + suffix) && size < node.at("min" + suffix).get<std::size_t>()) {
    add(pointer, "at least " + node.at("min" + suffix).dump() + " " + unit, found);
  }
  if (node.contains("max" + suffix) && size > node.at("max" + suffix).get<std::size_t>()) {
    add(pointer, "at most " + node.at("max" + suffix).dump() + " " + unit, found);
  }
}

void Checker::check_array(const json& node, const json& value, const std::string& pointer) {
  if (!value.is_array()) {
    return;
  }
  check_size(node, value.size(), "entries", pointer);
  if (node.contains("items")) {
    for (std::size_t index = 0; index < value.size() && !is_full(); ++index) {
      check(node.at("items"), value[index], pointer + "/" + std::to_string(index));
    }
  }
}

void Checker::check_object(const json& node, const json& value, const std::string& pointer) {
  if (!value.is_object()) {
    return;
  }
  if (node.contains("required")) {
    for (const json& name : node.at("required")) {
      const auto& key = name.get_ref<const std::string&>();
      if (!value.contains(key)) {
        add(pointer, "the key " + in_quotes(key), "an object without it");
      }
    }
  }
  for (const auto& [key, member] : value.items()) {
    check_member(node, key, member, pointer + pointer_step(key));
  }
}

void Checker::check_member(const json& node, const std::string& key, const json& member,
                           const std::string& pointer) {
  if (node.contains("propertyNames") && !is_integer_text(key)) {
    add(pointer, "an integer as key", in_quotes(key));
  }
  if (node.contains("properties") && node.at("properties").contains(key)) {
    check(node.at("properties").at(key), member, pointer);
    return;
  }
  if (!node.contains("additionalProperties")) {
    return;
  }
  const json& additional = node.at("additionalProperties");
  if (additional.is_object()) {
    check(additional, member, pointer);
  } else if (additional == false) {
    add(pointer, expected_key(node, key), "the unknown key " + in_quotes(key));
  }
}

void Checker::check_branches(const json& any_of, const json& value, const std::string& pointer) {
  const std::vector<const json*> branches = branches_for(root_, any_of, value);
  const std::string key = branches.size() > 1 ? discriminator(root_, branches) : "";
  if (key.empty()) {
    check(*branches.front(), value, pointer);
    return;
  }
  const std::vector<json> choices = discriminating_values(root_, branches, key);
  if (!value.contains(key)) {
    add(pointer, "the key " + in_quotes(key) + ", " + choice_phrase(choices),
        "an object without it");
    return;
  }
  const auto chosen = std::ranges::find(choices, value.at(key));
  if (chosen == choices.end()) {
    add(pointer + pointer_step(key), choice_phrase(choices) + suggestion(value.at(key), choices),
        brief(value.at(key)));
    return;
  }
  check(*branches[static_cast<std::size_t>(chosen - choices.begin())], value, pointer);
}

}  // namespace driver::schema
