// SPDX-License-Identifier: MIT
//
// First the whole list of what would be written, then a look for what is there, then the writing.

#include "driver/core/start.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/text_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <system_error>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t largest_kit_file = 4U << 20U;

/// Path in the new folder, and text.
using Files = std::map<fs::path, std::string>;

void add_tree(Files& files, const fs::path& tree, const fs::path& prefix) {
  std::error_code failed;
  for (const auto& entry : fs::recursive_directory_iterator(tree, failed)) {
    if (entry.is_regular_file()) {
      const fs::path name = prefix / entry.path().lexically_relative(tree);
      files[name] = read_file(entry.path(), largest_kit_file);
    }
  }
  if (failed) {
    throw GraderFault("the kit has no " + tree.string() + ": " + failed.message());
  }
}

std::string compile_commands(const Files& files, const Kit& kit, const fs::path& folder) {
  ordered_json commands = ordered_json::array();
  for (const auto& [name, text] : files) {
    if (name.extension() != ".cpp") {
      continue;
    }
    commands.push_back({{"directory", folder.string()},
                        {"arguments",
                         {kit.compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow",
                          "-Wconversion", "-I", ".", "-c", name.string()}},
                        {"file", name.string()}});
  }
  return commands.dump(2) + "\n";
}

void refuse_existing(const Files& files, const fs::path& folder) {
  std::vector<std::string> existing;
  for (const auto& [name, text] : files) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(folder / name, ignored))) {
      existing.push_back(name.string());
    }
  }
  if (!existing.empty()) {
    const std::string more =
        existing.size() > 1 ? " and " + std::to_string(existing.size() - 1) + " more files" : "";
    throw BadInput(printable((folder / existing.front()).string()) + more +
                   " would be overwritten; nothing was written (give another folder)");
  }
}

fs::path new_folder(const fs::path& folder) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(folder, failed).lexically_normal();
  fs::create_directories(absolute, failed);
  if (failed || !fs::is_directory(absolute, failed)) {
    throw BadInput(in_quotes(folder.string()) + " cannot be made" +
                   (failed ? ": " + failed.message() : ""));
  }
  return absolute;
}

}  // namespace

void start_exercise(const Exercise& exercise, const Kit& kit, const fs::path& folder,
                    std::ostream& out) {
  Files files;
  for (const std::string& layer : exercise.layers()) {
    add_tree(files, kit.starter(layer), "");
  }
  add_tree(files, kit.starter("aio"), "aio");
  files[started_file] = ordered_json{{"format", 1}, {"exercise", exercise.slug}}.dump() + "\n";
  files["compile_commands.json"] = "";
  const fs::path target = new_folder(folder);
  refuse_existing(files, target);
  files["compile_commands.json"] = compile_commands(files, kit, target);
  for (const auto& [name, text] : files) {
    fs::create_directories((target / name).parent_path());
    write_new_file(target / name, text);
  }
  out << "started " << exercise.slug << " in " << printable(target.string()) << "\n"
      << "next: read README.md there, write "
      << exercise.config.at("files").at(0).get<std::string>() << ", then run `ol check` there\n";
}

std::optional<std::string> started_exercise(const fs::path& folder) {
  const fs::path file = folder / started_file;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return std::nullopt;
  }
  const json content = read_json(file, {.bytes = 1U << 16U, .depth = 8, .values = 1000});
  if (!content.is_object() || !content.contains("exercise") ||
      !content.at("exercise").is_string()) {
    throw BadInput(printable(file.string()) + ": at /exercise: expected the name of an exercise");
  }
  return content.at("exercise").get<std::string>();
}

}  // namespace driver
