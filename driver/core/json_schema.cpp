// SPDX-License-Identifier: MIT
//
// The public face of the schema walks.

#include "driver/core/json_schema.hpp"

#include "driver/core/escape.hpp"
#include "driver/core/schema_checker.hpp"
#include "driver/core/schema_node.hpp"

#include <utility>

namespace driver {

std::string SchemaError::message() const {
  const std::string place = pointer.empty() ? "at the top level" : "at " + printable(pointer);
  return place + ": expected " + expected + ", found " + found;
}

JsonSchema::JsonSchema(nlohmann::json schema) : schema_(std::move(schema)) {
  schema::check_keywords(schema_, schema_, "");
}

std::vector<SchemaError> JsonSchema::errors(const nlohmann::json& value) const {
  schema::Checker checker(schema_);
  checker.check(schema_, value, "");
  return checker.errors();
}

nlohmann::json JsonSchema::with_defaults(nlohmann::json value) const {
  schema::fill_defaults(schema_, schema_, value);
  return value;
}

}  // namespace driver
