// SPDX-License-Identifier: MIT
//
// A small project of its own: an exercise "demo" with two cases, the real schemas, and a compiler
// that is a shell script which the test writes.

#pragma once

#include "driver/core/kit.hpp"
#include "tests/paths.hpp"
#include "tests/unit/core/temporary_folder.hpp"

#include <filesystem>
#include <string>

namespace driver::testing {

/// A kit whose exercise asks for `solution.hpp` and gives `given.hpp`.
class DemoKit {
 public:
  DemoKit() {
    const std::filesystem::path root(paths::root);
    std::filesystem::create_directories(folder_.path() / "catalog");
    std::filesystem::copy(root / "catalog" / "schema", folder_.path() / "catalog" / "schema");
    write_exercise();
    folder_.write("starter/demo/given.hpp", "given\n");
    folder_.write("starter/demo/solution.hpp", "TODO\n");
    folder_.write("starter/demo/main.cpp", "int main() {}\n");
    folder_.write("starter/aio/task.hpp", "task\n");
    folder_.write("driver/runners/demo.cpp", "#include \"solution.hpp\"\n");
    kit_.file = folder_.path() / "kit.json";
    kit_.root = folder_.path();
    kit_.compiler = (folder_.path() / "compiler").string();
    kit_.compiler_name = "script 1";
    kit_.variants["plain"] = {};
    write_compiler("exit 0");
  }

  const Kit& kit() const { return kit_; }
  Kit& kit() { return kit_; }
  const TemporaryFolder& folder() const { return folder_; }

  /// Makes the compiler run `script`, with the compiler's arguments.
  void write_compiler(const std::string& script) const {
    const auto file = folder_.write("compiler", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  /// Writes a submission with this text and gives its folder.
  std::filesystem::path submit(std::string_view text) const {
    return folder_.write("submitted/solution.hpp", text).parent_path();
  }

 private:
  void write_exercise() const {
    folder_.write("catalog/demo/exercise.json", R"({
      "format": 1, "slug": "demo", "title": "A demo", "files": ["solution.hpp"],
      "given": ["given.hpp"], "runner": "demo", "report_keys": ["results", "outcome"],
      "checks": [], "schedules": 1})");
    folder_.write("catalog/demo/rules.json", R"({"format": 1, "rules": [
      {"id": "S1", "sentence": "One is one.", "section": "Numbers"},
      {"id": "S2", "sentence": "Two is two.", "section": "Numbers"}]})");
    folder_.write("catalog/demo/cases.json", R"({"format": 1, "cases": [
      {"name": "one", "rules": ["S1"], "kind": "unit", "checks": "It is one.", "why": "Ones."},
      {"name": "two", "rules": ["S2"], "kind": "fault", "checks": "It is two.", "why": "Twos."}]})");
    folder_.write("catalog/demo/pitfalls.json", R"({"format": 1, "pitfalls": [
      {"title": "Counting from zero", "why": "Zero is not one.", "rules": ["S1"],
       "cases": ["one"]}]})");
    folder_.write("catalog/demo/golden/matrix.json", R"({"format": 1, "cases": {
      "one": {"observed": {"ended": 1}}, "two": {"observed": {"ended": 2}}}})");
    folder_.write("catalog/demo/case.schema.json", R"({"type": "object", "required": ["name"],
      "properties": {"name": {"type": "string"}, "rules": {"type": "array"},
      "kind": {"enum": ["unit", "boundary", "fault"]}, "checks": {"type": "string"},
      "why": {"type": "string"}, "delay": {"type": "number", "minimum": 0, "default": 0.0}},
      "additionalProperties": false})");
  }

  TemporaryFolder folder_;
  Kit kit_;
};

}  // namespace driver::testing
