// SPDX-License-Identifier: MIT
//
// The walk over a valid value that fills in what its schema has a default for.

#include "driver/core/schema_checker.hpp"
#include "driver/core/schema_node.hpp"

#include <algorithm>

namespace driver::schema {
namespace {

using nlohmann::json;

/// The branch of an anyOf that a valid value follows.
const json& branch_of(const json& root, const json& any_of, const json& value) {
  const std::vector<const json*> branches = branches_for(root, any_of, value);
  const std::string key = branches.size() > 1 ? discriminator(root, branches) : "";
  if (key.empty()) {
    return *branches.front();
  }
  const std::vector<json> choices = discriminating_values(root, branches, key);
  const auto chosen = std::ranges::find(choices, value.at(key));
  return *branches[static_cast<std::size_t>(chosen - choices.begin())];
}

void fill_properties(const json& root, const json& properties, json& value) {
  for (const auto& [key, property] : properties.items()) {
    if (!value.contains(key) && property.contains("default")) {
      value[key] = property.at("default");
    }
    if (value.contains(key)) {
      fill_defaults(root, property, value[key]);
    }
  }
}

void fill_members(const json& root, const json& node, json& value) {
  if (node.contains("properties")) {
    fill_properties(root, node.at("properties"), value);
  }
  if (!node.contains("additionalProperties") || !node.at("additionalProperties").is_object()) {
    return;
  }
  for (auto& [key, member] : value.items()) {
    if (!node.contains("properties") || !node.at("properties").contains(key)) {
      fill_defaults(root, node.at("additionalProperties"), member);
    }
  }
}

}  // namespace

void fill_defaults(const json& root, const json& unresolved, json& value) {
  const json& node = resolve(root, unresolved);
  if (const json* part = conditional_part(node, value)) {
    fill_defaults(root, *part, value);
  }
  if (node.contains("anyOf")) {
    fill_defaults(root, branch_of(root, node.at("anyOf"), value), value);
  }
  if (value.is_object()) {
    fill_members(root, node, value);
  } else if (value.is_array() && node.contains("items")) {
    for (json& item : value) {
      fill_defaults(root, node.at("items"), item);
    }
  }
}

}  // namespace driver::schema
