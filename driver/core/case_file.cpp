// SPDX-License-Identifier: MIT
//
// Both shapes of each file are brought to the full one before they are checked; pointers in
// messages are those of the file as it was written.

#include "driver/core/case_file.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"

#include <map>
#include <stdexcept>
#include <utility>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Throws when `value` breaks the schema. `from` is what the full shape has in front of a pointer
/// and the written file has not; `to` is the other way round.
void require_valid(const JsonSchema& schema, const json& value, const fs::path& file,
                   const std::string& from = "", const std::string& to = "") {
  const std::vector<SchemaError> errors = schema.errors(value);
  if (errors.empty()) {
    return;
  }
  SchemaError first = errors.front();
  if (first.pointer.starts_with(from)) {
    first.pointer = to + first.pointer.substr(from.size());
  }
  const std::string more =
      errors.size() > 1 ? " (and " + std::to_string(errors.size() - 1) + " more)" : "";
  throw BadInput(printable(file.string()) + ": " + first.message() + more);
}

Case make_case(const JsonSchema& schema, json data) {
  Case result;
  result.name = data.at("name").get<std::string>();
  result.data = schema.with_defaults(std::move(data));
  return result;
}

}  // namespace

JsonSchema load_schema(const fs::path& file) {
  try {
    return JsonSchema(read_json(file));
  } catch (const std::invalid_argument& error) {
    throw GraderFault(file.string() + ": " + error.what());
  } catch (const BadInput& error) {
    throw GraderFault(error.what());
  }
}

json read_valid_json(const fs::path& file, const fs::path& schema_file) {
  json value = read_json(file);
  require_valid(load_schema(schema_file), value, file);
  return value;
}

std::vector<Case> load_case_file(const fs::path& file, const fs::path& catalog,
                                 const fs::path& case_schema) {
  return cases_from(read_json(file), file, catalog, case_schema);
}

std::vector<Case> cases_from(json content, const fs::path& file, const fs::path& catalog,
                             const fs::path& case_schema) {
  const bool is_bare = content.is_array();
  if (is_bare) {
    content = {{"format", 1}, {"cases", std::move(content)}};
  }
  const std::string prefix = is_bare ? "" : "/cases";
  require_valid(load_schema(catalog / "schema" / "cases.schema.json"), content, file,
                is_bare ? "/cases" : "", "");
  const JsonSchema schema = load_schema(case_schema);
  std::vector<Case> cases;
  std::map<std::string, std::string> places;
  for (std::size_t index = 0; index < content.at("cases").size(); ++index) {
    json& data = content.at("cases").at(index);
    const std::string place = prefix + "/" + std::to_string(index);
    require_valid(schema, data, file, "", place);
    cases.push_back(make_case(schema, std::move(data)));
    const auto [known, is_new] = places.emplace(cases.back().name, place);
    if (!is_new) {
      throw BadInput(printable(file.string()) + ": at " + place + "/name: expected a name of its " +
                     "own, found " + in_quotes(cases.back().name) + " as at " + known->second);
    }
  }
  return cases;
}

json load_golden_file(const fs::path& file, const fs::path& catalog) {
  json content = read_json(file);
  // A bare object has entries (objects) only; the full shape has the number "format".
  const bool is_bare = content.is_object() && !content.contains("format");
  if (is_bare) {
    content = {{"format", 1}, {"cases", std::move(content)}};
  }
  require_valid(load_schema(catalog / "schema" / "golden.schema.json"), content, file,
                is_bare ? "/cases" : "", "");
  return content.at("cases");
}

}  // namespace driver
