// SPDX-License-Identifier: MIT
//
// Reading of schema nodes; the schemas are ours, so their mistakes are programming errors.

#include "driver/core/schema_node.hpp"

#include "driver/core/json_text.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace driver::schema {
namespace {

using nlohmann::json;

bool has(const json& node, const char* key) { return node.contains(key); }

std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t index = 0; index < words.size(); ++index) {
    text += index == 0 ? "" : index + 1 == words.size() ? last : ", ";
    text += words[index];
  }
  return text;
}

std::string type_name(const std::string& type) {
  if (type == "boolean") {
    return "true or false";
  }
  if (type == "null") {
    return "null";
  }
  const bool vowel = type == "integer" || type == "array" || type == "object";
  return (vowel ? "an " : "a ") + type;
}

const std::set<std::string>& keywords() {
  static const std::set<std::string> known{
      "$schema",  "$comment",     "title",     "$defs",   "$ref",    "type",
      "enum",     "const",        "minimum",   "maximum", "default", "exclusiveMinimum",
      "required", "minLength",    "maxLength", "items",   "if",      "additionalProperties",
      "anyOf",    "minItems",     "maxItems",  "then",    "else",    "properties",
      "format",   "propertyNames"};
  return known;
}

}  // namespace

const json& resolve(const json& root, const json& node) {
  if (!node.is_object() || !has(node, "$ref")) {
    return node;
  }
  const auto& target = node.at("$ref").get_ref<const std::string&>();
  constexpr std::string_view prefix = "#/$defs/";
  if (!target.starts_with(prefix)) {
    throw std::invalid_argument("schema: $ref must be #/$defs/<name>, not " + target);
  }
  const std::string name = target.substr(prefix.size());
  if (!has(root, "$defs") || !root.at("$defs").contains(name)) {
    throw std::invalid_argument("schema: no such definition: " + target);
  }
  return root.at("$defs").at(name);
}

std::vector<std::string> types_of(const json& root, const json& unresolved) {
  const json& node = resolve(root, unresolved);
  std::vector<std::string> types;
  if (has(node, "type")) {
    const json& type = node.at("type");
    return type.is_array() ? type.get<std::vector<std::string>>()
                           : std::vector{type.get<std::string>()};
  }
  if (has(node, "anyOf")) {
    for (const json& branch : node.at("anyOf")) {
      for (const std::string& type : types_of(root, branch)) {
        if (std::ranges::find(types, type) == types.end()) {
          types.push_back(type);
        }
      }
    }
  }
  return types;
}

bool accepts_type(const json& root, const json& unresolved, const json& value) {
  const json& node = resolve(root, unresolved);
  const auto fits = [&value](const json& type) {
    return is_type(value, type.get_ref<const std::string&>());
  };
  if (has(node, "type")) {
    const json& type = node.at("type");
    return type.is_array() ? std::ranges::any_of(type, fits) : fits(type);
  }
  return !has(node, "anyOf") || std::ranges::any_of(node.at("anyOf"), [&](const json& branch) {
    return accepts_type(root, branch, value);
  });
}

bool is_type(const json& value, const std::string& name) {
  return (name == "object" && value.is_object()) || (name == "array" && value.is_array()) ||
         (name == "string" && value.is_string()) || (name == "boolean" && value.is_boolean()) ||
         (name == "null" && value.is_null()) || (name == "number" && value.is_number()) ||
         (name == "integer" && value.is_number_integer());
}

std::vector<const json*> branches_for(const json& root, const json& any_of, const json& value) {
  std::vector<const json*> fitting;
  for (const json& branch : any_of) {
    if (accepts_type(root, branch, value)) {
      fitting.push_back(&branch);
    }
  }
  return fitting;
}

std::string discriminator(const json& root, const std::vector<const json*>& branches) {
  const json& first = resolve(root, *branches.front());
  if (!has(first, "properties")) {
    return "";
  }
  for (const auto& [name, property] : first.at("properties").items()) {
    const bool everywhere = std::ranges::all_of(branches, [&root, key = name](const json* node) {
      const json& branch = resolve(root, *node);
      return has(branch, "properties") && branch.at("properties").contains(key) &&
             has(branch.at("properties").at(key), "const");
    });
    if (everywhere) {
      return name;
    }
  }
  return "";
}

std::vector<json> discriminating_values(const json& root, const std::vector<const json*>& branches,
                                        const std::string& name) {
  std::vector<json> values;
  for (const json* branch : branches) {
    values.push_back(resolve(root, *branch).at("properties").at(name).at("const"));
  }
  return values;
}

const json* conditional_part(const json& node, const json& value) {
  if (!has(node, "if") || !value.is_object()) {
    return nullptr;
  }
  const json& required = node.at("if").at("required");
  const bool holds = std::ranges::all_of(
      required, [&value](const json& key) { return value.contains(key.get<std::string>()); });
  const char* part = holds ? "then" : "else";
  return has(node, part) ? &node.at(part) : nullptr;
}

std::string type_phrase(const std::vector<std::string>& types) {
  std::vector<std::string> names;
  std::ranges::transform(types, std::back_inserter(names), type_name);
  return joined(names, " or ");
}

std::string range_phrase(const json& node) {
  const std::string top = has(node, "maximum") ? node.at("maximum").dump() : "";
  if (has(node, "minimum")) {
    const std::string low = node.at("minimum").dump();
    return top.empty() ? " of at least " + low : " from " + low + " to " + top;
  }
  if (has(node, "exclusiveMinimum")) {
    const std::string low = " above " + node.at("exclusiveMinimum").dump();
    return top.empty() ? low : low + " and at most " + top;
  }
  return top.empty() ? "" : " of at most " + top;
}

std::string choice_phrase(const std::vector<json>& values) {
  std::vector<std::string> words;
  std::ranges::transform(values, std::back_inserter(words), brief);
  return (words.size() > 1 ? "one of " : "") + joined(words, ", ");
}

void check_keywords(const json& root, const json& node, const std::string& pointer) {
  for (const auto& [key, part] : node.items()) {
    if (!keywords().contains(key)) {
      throw std::invalid_argument("schema: unknown keyword " + pointer + pointer_step(key));
    }
    const bool is_map = key == "properties" || key == "$defs";
    if (is_map || key == "anyOf") {
      for (const auto& [name, child] : part.items()) {
        check_keywords(root, child, pointer + pointer_step(key) + pointer_step(name));
      }
    } else if (part.is_object() && key != "default" && key != "const") {
      check_keywords(root, part, pointer + pointer_step(key));
    }
  }
  resolve(root, node);
}

}  // namespace driver::schema
