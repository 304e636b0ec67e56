// SPDX-License-Identifier: MIT
//
// Two commands, and the words for each way in which they fail.

#include "driver/core/build.hpp"

#include "driver/core/command.hpp"
#include "driver/core/errors.hpp"

#include <algorithm>
#include <string_view>
#include <sys/wait.h>
#include <vector>

namespace driver {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Words compile_arguments(const Kit& kit, const KitVariant& variant, const fs::path& scratch,
                        const fs::path& source) {
  Words words{kit.compiler};
  append(words, variant.compile);
  words.push_back("-fdiagnostics-color=never");
  if (!variant.pch.empty()) {
    append(words, {"-include-pch", variant.pch});
  }
  // The submission's folder comes first: its file is the one that the runner includes.
  append(words, {"-I", scratch.string()});
  for (const std::string& folder : kit.include_dirs) {
    append(words, {"-I", folder});
  }
  append(words, {"-c", source.string(), "-o", (scratch / "runner.o").string()});
  return words;
}

Words link_arguments(const Kit& kit, const KitVariant& variant, const fs::path& scratch) {
  Words words{kit.compiler};
  append(words, variant.link);
  append(words, {(scratch / "runner.o").string(), "-o", (scratch / "runner").string()});
  return words;
}

bool is_sanitized(const KitVariant& variant) {
  return std::ranges::any_of(
      variant.compile, [](const std::string& word) { return word.starts_with("-fsanitize="); });
}

/// A precompiled header that no longer fits its headers is our fault, though it is the compilation
/// of the submission that fails.
void require_fresh_header(const KitVariant& variant, const CommandResult& result) {
  if (!variant.pch.empty() && result.output.find(variant.pch) != std::string::npos) {
    throw GraderFault(
        "the kit is older than the headers it was built from (cmake --workflow "
        "--preset dev builds it): " +
        result.output.substr(0, result.output.find('\n')));
  }
}

std::string failure_note(const CommandResult& result, std::string_view step,
                         std::chrono::milliseconds time_limit) {
  if (result.timed_out) {
    return std::string(step) + " took longer than " +
           std::to_string(std::chrono::ceil<std::chrono::seconds>(time_limit).count()) +
           " s and was ended\n";
  }
  if (WIFSIGNALED(result.wait_status)) {
    return std::string(step) + " itself was ended by signal " +
           std::to_string(WTERMSIG(result.wait_status)) + "\n";
  }
  return result.output.empty() ? std::string(step) + " failed without a word\n" : "";
}

void require_whole(const Kit& kit, const std::string& variant, const fs::path& source) {
  std::vector<std::string> missing = missing_kit_files(kit, variant);
  std::error_code ignored;
  if (!fs::exists(source, ignored)) {
    missing.push_back(source.string());
  }
  if (!missing.empty()) {
    throw GraderFault("the kit is not complete: no " + missing.front() +
                      " (cmake --workflow --preset dev builds it)");
  }
}

}  // namespace

std::string with_short_paths(std::string text, const std::string& path, const std::string& name) {
  for (std::size_t at = text.find(path); !path.empty() && at != std::string::npos;
       at = text.find(path, at + name.size())) {
    text.replace(at, path.size(), name);
  }
  return text;
}

BuildResult build_submission(const Exercise& exercise, const Kit& kit, const fs::path& scratch,
                             const BuildOptions& options) {
  const auto runner = exercise.config.at("runner").get<std::string>();
  const fs::path source = kit.root / "driver" / "runners" / (runner + ".cpp");
  require_whole(kit, options.variant, source);
  const KitVariant& variant = kit.variants.at(options.variant);
  CommandLimits limits;
  limits.time = options.time_limit;
  limits.memory_megabytes = is_sanitized(variant) ? 0 : 4096;
  BuildResult result;
  const std::vector<std::pair<std::string_view, Words>> steps{
      {"the compiler", compile_arguments(kit, variant, scratch, source)},
      {"the linker", link_arguments(kit, variant, scratch)}};
  for (const auto& [step, arguments] : steps) {
    const CommandResult command = run_command(arguments, scratch, limits);
    result.output +=
        with_short_paths(with_short_paths(command.output, scratch.string(), "<submission>"),
                         kit.root.string(), "<kit>");
    if (!command.is_success()) {
      require_fresh_header(variant, command);
      result.output += failure_note(command, step, options.time_limit);
      return result;
    }
  }
  result.is_ok = true;
  result.program = scratch / "runner";
  return result;
}

}  // namespace driver
