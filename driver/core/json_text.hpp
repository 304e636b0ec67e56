// SPDX-License-Identifier: MIT
//
// JSON from a file that may be hostile: bounded in size, depth and number of values, and strict
// about keys that occur twice.

#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace driver {

/// How much JSON is accepted.
struct JsonLimits {
  std::size_t bytes = 32U << 20U;
  std::size_t depth = 64;
  std::size_t values = 4'000'000;
};

/// Reads `text` as one JSON value.
/// Errors: BadInput with `file` in front: not JSON (line and column), nested too deeply, too many
/// values, or a key that occurs twice (with the JSON pointer of its object).
nlohmann::json parse_json(std::string_view text, const std::string& file,
                          const JsonLimits& limits = {});

/// Reads the file `path` as one JSON value.
/// Errors: as read_file() and parse_json().
nlohmann::json read_json(const std::filesystem::path& path, const JsonLimits& limits = {});

/// Gives one step of a JSON pointer, escaped: "/" and the key.
std::string pointer_step(std::string_view key);

/// Gives a value as one short line for a message.
/// Bounds: values of more than 120 bytes are cut and marked with "...".
std::string brief(const nlohmann::json& value);

}  // namespace driver
