// SPDX-License-Identifier: MIT
//
// Reading of kit.json, and what belongs to the kit's digest.

#include "driver/core/kit.hpp"

#include "driver/core/digest.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/json_text.hpp"

#include <cstdlib>
#include <system_error>

namespace driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

KitVariant read_variant(const json& description) {
  return {.compile = description.at("compile").get<std::vector<std::string>>(),
          .link = description.at("link").get<std::vector<std::string>>(),
          .pch = description.at("pch").get<std::string>()};
}

Kit read_kit(const json& description, const fs::path& file) {
  if (description.at("format") != 1) {
    throw GraderFault(file.string() + ": unknown format " + description.at("format").dump());
  }
  Kit kit;
  kit.file = file;
  kit.root = description.at("root").get<std::string>();
  kit.compiler = description.at("compiler").get<std::string>();
  kit.compiler_name = description.at("compiler_name").get<std::string>();
  kit.confine = description.value("confine", "");
  kit.serve = description.value("serve", "");
  kit.include_dirs = description.at("include_dirs").get<std::vector<std::string>>();
  for (const auto& [name, variant] : description.at("kits").items()) {
    kit.variants[name] = read_variant(variant);
  }
  return kit;
}

}  // namespace

fs::path kit_file(const fs::path& built_in) {
  const char* chosen = std::getenv("OL_KIT");  // NOLINT(concurrency-mt-unsafe): one thread
  return chosen != nullptr && *chosen != '\0' ? fs::path(chosen) : built_in;
}

Kit load_kit(const fs::path& file) {
  try {
    return read_kit(read_json(file), file);
  } catch (const BadInput& error) {
    throw GraderFault("the kit is not built (cmake --workflow --preset dev): " +
                      std::string(error.what()));
  } catch (const json::exception& error) {
    throw GraderFault("the kit description is broken: " + file.string() + ": " + error.what());
  }
}

std::vector<std::string> missing_kit_files(const Kit& kit, const std::string& variant) {
  const auto found = kit.variants.find(variant);
  if (found == kit.variants.end()) {
    return {"the variant " + variant + " in " + kit.file.string()};
  }
  std::vector<std::string> needed{kit.compiler};
  if (!found->second.pch.empty()) {
    needed.push_back(found->second.pch);
  }
  for (const std::string& argument : found->second.link) {
    if (argument.starts_with("/")) {
      needed.push_back(argument);
    }
  }
  std::erase_if(needed, [](const std::string& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
  });
  return needed;
}

std::string kit_digest(const Kit& kit, const Exercise& exercise) {
  std::vector<std::string> parts = {"catalog/schema", "driver", "starter/aio"};
  for (const std::string& layer : exercise.layers()) {
    parts.push_back("catalog/" + layer);
    parts.push_back("starter/" + layer);
  }
  std::vector<NamedDigest> files;
  for (const std::string& part : parts) {
    for (NamedDigest& file : digests_under(kit.root / part, part + "/")) {
      files.push_back(std::move(file));
    }
  }
  return digest_of_all(std::move(files));
}

std::filesystem::path starter_file(const Kit& kit, const Exercise& exercise,
                                   const std::string& name) {
  std::filesystem::path own = kit.starter(exercise.slug) / name;
  std::error_code ignored;
  return std::filesystem::exists(own, ignored) ? own
                                               : kit.starter(exercise.layers().front()) / name;
}

}  // namespace driver
