// SPDX-License-Identifier: MIT
//
// Files of cases and goldens, the catalogue's own or an instructor's: the same checks for both.

#pragma once

#include "driver/core/catalogue.hpp"
#include "driver/core/json_schema.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <vector>

namespace driver {

/// Loads a schema of ours.
/// Errors: GraderFault when it is missing or uses keywords that JsonSchema does not know.
JsonSchema load_schema(const std::filesystem::path& file);

/// Reads `file` and checks it against the schema in `schema_file`.
/// Errors: BadInput with the file, the JSON pointer and what was expected.
nlohmann::json read_valid_json(const std::filesystem::path& file,
                               const std::filesystem::path& schema_file);

/// Reads cases, `{"format": 1, "cases": [...]}` or a bare array, each checked against the schema of
/// the exercise's cases, with the defaults of that schema filled in.
/// Errors: BadInput as read_valid_json(); two cases of one name.
std::vector<Case> load_case_file(const std::filesystem::path& file,
                                 const std::filesystem::path& catalog,
                                 const std::filesystem::path& case_schema);

/// The same for cases that were read from `file` before.
std::vector<Case> cases_from(nlohmann::json content, const std::filesystem::path& file,
                             const std::filesystem::path& catalog,
                             const std::filesystem::path& case_schema);

/// Reads goldens, `{"format": 1, "cases": {...}}` or a bare object: name to entry.
/// Errors: BadInput as read_valid_json().
nlohmann::json load_golden_file(const std::filesystem::path& file,
                                const std::filesystem::path& catalog);

}  // namespace driver
