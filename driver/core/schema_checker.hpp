// SPDX-License-Identifier: MIT
//
// Finds where a value breaks a schema. Used by json_schema.cpp alone.

#pragma once

#include "driver/core/json_schema.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace driver::schema {

/// Collects the mistakes of one value, in document order.
class Checker {
 public:
  /// Lifetime: `root`, the whole schema, must outlive the checker.
  explicit Checker(const nlohmann::json& root) : root_(root) {}

  /// Adds the mistakes of `value`, at `pointer`, against `node`.
  void check(const nlohmann::json& node, const nlohmann::json& value, const std::string& pointer);

  const std::vector<SchemaError>& errors() const { return errors_; }

 private:
  using json = nlohmann::json;

  void add(const std::string& pointer, const std::string& expected, const std::string& found);
  bool check_type(const json& node, const json& value, const std::string& pointer);
  void check_choice(const json& node, const json& value, const std::string& pointer);
  void check_number(const json& node, const json& value, const std::string& pointer);
  void check_size(const json& node, std::size_t size, const std::string& what,
                  const std::string& pointer);
  void check_array(const json& node, const json& value, const std::string& pointer);
  void check_object(const json& node, const json& value, const std::string& pointer);
  void check_member(const json& node, const std::string& key, const json& member,
                    const std::string& pointer);
  void check_branches(const json& any_of, const json& value, const std::string& pointer);
  bool is_full() const;

  const json& root_;
  std::vector<SchemaError> errors_;
};

/// Fills in the defaults of `value`, which is valid, and of all in it.
void fill_defaults(const nlohmann::json& root, const nlohmann::json& node, nlohmann::json& value);

}  // namespace driver::schema
