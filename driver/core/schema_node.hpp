// SPDX-License-Identifier: MIT
//
// Questions about one node of a JSON schema: which node is meant, what does it accept, and how is
// that said in words. Used by json_schema.cpp alone.

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace driver::schema {

/// Gives the node that `node` refers to, or itself.
/// Errors: std::invalid_argument for a $ref that is not "#/$defs/<name>" or does not exist.
const nlohmann::json& resolve(const nlohmann::json& root, const nlohmann::json& node);

/// Gives the names of the types that `node` accepts; none when it accepts any.
std::vector<std::string> types_of(const nlohmann::json& root, const nlohmann::json& node);

/// Whether the type of `value` is one that `node` accepts.
bool accepts_type(const nlohmann::json& root, const nlohmann::json& node,
                  const nlohmann::json& value);

/// Whether `value` is of the type `name` ("integer" means: written as an integer).
bool is_type(const nlohmann::json& value, const std::string& name);

/// Gives the branches of an anyOf that accept the type of `value`.
std::vector<const nlohmann::json*> branches_for(const nlohmann::json& root,
                                                const nlohmann::json& any_of,
                                                const nlohmann::json& value);

/// Gives the name of the property that is a `const` in each of the branches, or "".
std::string discriminator(const nlohmann::json& root,
                          const std::vector<const nlohmann::json*>& branches);

/// Gives the values that the property `name` may have, one a branch.
std::vector<nlohmann::json> discriminating_values(
    const nlohmann::json& root, const std::vector<const nlohmann::json*>& branches,
    const std::string& name);

/// Gives the part of an if/then/else that holds for `value`, or null.
const nlohmann::json* conditional_part(const nlohmann::json& node, const nlohmann::json& value);

/// Gives types in words: "an integer or null".
std::string type_phrase(const std::vector<std::string>& types);

/// Gives the range of a number in words, with a space in front: " from 0 to 10", " of at least 0",
/// " above 0"; "" when it has none.
std::string range_phrase(const nlohmann::json& node);

/// Gives values in words: "one of 'a', 'b'", or the only one.
std::string choice_phrase(const std::vector<nlohmann::json>& values);

/// Refuses a schema that uses keywords beyond the supported ones.
/// Errors: std::invalid_argument naming the keyword and its pointer.
void check_keywords(const nlohmann::json& root, const nlohmann::json& node,
                    const std::string& pointer);

}  // namespace driver::schema
