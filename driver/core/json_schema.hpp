// SPDX-License-Identifier: MIT
//
// The part of JSON Schema (draft 2020-12) that this project's formats need. Unlike a full
// validator it says one thing per mistake, in words for the person who wrote the file.

#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace driver {

/// One place where a value breaks a schema.
///
/// Shape: `pointer` is an RFC 6901 JSON pointer, "" for the whole; `expected` and `found` are
/// phrases.
struct SchemaError {
  std::string pointer;
  std::string expected;
  std::string found;

  /// Gives "at <pointer>: expected <expected>, found <found>".
  std::string message() const;
};

/// A schema, checked for keywords that this class does not know.
///
/// Shape: type, enum, const, minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems,
/// maxItems, items, properties, required, additionalProperties, propertyNames (format integer),
/// anyOf, if/then/else (if: required), $ref to #/$defs, default. Of an anyOf the branch is chosen
/// by type and by its `const` properties, so that errors speak of the branch that was meant.
/// Bounds: a number is an integer only when it is written as one.
class JsonSchema {
 public:
  /// Errors: std::invalid_argument for a keyword or $ref that is not known.
  explicit JsonSchema(nlohmann::json schema);

  /// Gives all mistakes of `value`, in document order; none when it is valid.
  /// Bounds: stops after 20.
  std::vector<SchemaError> errors(const nlohmann::json& value) const;

  /// Gives `value`, which must be valid, with the defaults of absent properties filled in.
  nlohmann::json with_defaults(nlohmann::json value) const;

 private:
  nlohmann::json schema_;
};

}  // namespace driver
