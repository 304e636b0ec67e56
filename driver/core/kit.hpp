// SPDX-License-Identifier: MIT
//
// What a submission is built with: the compiler and its arguments, and where the project's files
// are. CMake writes it (driver/kit.json.in) when it builds everything but the student's file.

#pragma once

#include "driver/core/catalogue.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace driver {

/// One way to build a submission.
///
/// Shape: `compile` stands before the source file, `link` before the object file; `pch` is a
/// precompiled header, or empty.
struct KitVariant {
  std::vector<std::string> compile;
  std::vector<std::string> link;
  std::string pch;
};

/// The kit: one compiler, the project's folder, and the variants "plain" and "asan".
struct Kit {
  std::filesystem::path file;
  std::filesystem::path root;
  std::string compiler;
  std::string compiler_name;      ///< Such as "clang 19.1.7".
  std::filesystem::path confine;  ///< The program that keeps compilers and runners to themselves.
  std::filesystem::path serve;    ///< The program behind `ol serve`.
  std::vector<std::string> include_dirs;
  std::map<std::string, KitVariant> variants;

  std::filesystem::path catalog() const { return root / "catalog"; }
  std::filesystem::path starter(const std::string& slug) const { return root / "starter" / slug; }
};

/// Gives the kit file to use: that of the environment variable OL_KIT, else `built_in`.
std::filesystem::path kit_file(const std::filesystem::path& built_in);

/// Loads the kit description `file`.
/// Errors: GraderFault when it is missing or broken, with the command that builds it.
Kit load_kit(const std::filesystem::path& file);

/// Gives the files that the variant needs and that do not exist: the compiler, the precompiled
/// header, the libraries. None when the kit is ready for use.
std::vector<std::string> missing_kit_files(const Kit& kit, const std::string& variant);

/// Gives the digest of the kit's contents for an exercise: catalogue, starter, support library and
/// driver. It does not depend on where the project lies.
std::string kit_digest(const Kit& kit, const Exercise& exercise);

/// Gives the path of a file of the exercise's starter: its own, or else one that it shares.
std::filesystem::path starter_file(const Kit& kit, const Exercise& exercise,
                                   const std::string& name);

}  // namespace driver
