// SPDX-License-Identifier: MIT
//
// A compiler for each translation unit, then a linker, and the words for each way in which they
// fail.

#include "driver/core/build.hpp"

#include "driver/core/command.hpp"
#include "driver/core/confine.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/includes.hpp"

#include <algorithm>
#include <future>
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

/// One translation unit.
struct Unit {
  std::string name;
  fs::path source;
  std::string object;
  bool is_part = false;  ///< The runner can do without it.
};

/// The translation units: the runner's, what was handed in to be compiled, the runner's parts.
std::vector<Unit> units_of(const Exercise& exercise, const Kit& kit, const fs::path& scratch) {
  std::vector<Unit> units;
  const auto add_runner = [&](const std::string& name, bool is_part) {
    units.push_back({.name = name,
                     .source = kit.root / "driver" / "runners" / (name + ".cpp"),
                     .object = (scratch / (name + ".o")).string(),
                     .is_part = is_part});
  };
  add_runner(exercise.config.at("runner").get<std::string>(), false);
  for (const auto& file : exercise.config.at("files")) {
    const auto name = file.get<std::string>();
    if (name.ends_with(".cpp")) {
      units.push_back(
          {.name = name, .source = scratch / name, .object = (scratch / (name + ".o")).string()});
    }
  }
  for (const auto& part : exercise.config.value("runner_parts", nlohmann::json::array())) {
    add_runner(part.at("name").get<std::string>(), true);
  }
  return units;
}

Words compile_arguments(const Kit& kit, const KitVariant& variant, const fs::path& scratch,
                        const Unit& unit) {
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
  append(words, {"-c", unit.source.string(), "-o", unit.object});
  return words;
}

Words link_arguments(const Kit& kit, const KitVariant& variant, const fs::path& scratch,
                     const Words& objects) {
  Words words{kit.compiler};
  append(words, variant.link);
  append(words, objects);
  append(words, {"-o", (scratch / "runner").string()});
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

void require_whole(const Kit& kit, const std::string& variant, const std::vector<Unit>& units) {
  std::vector<std::string> missing = missing_kit_files(kit, variant);
  for (const Unit& unit : units) {
    std::error_code ignored;
    if (!fs::exists(unit.source, ignored)) {
      missing.push_back(unit.source.string());
    }
  }
  if (!missing.empty()) {
    throw GraderFault("the kit is not complete: no " + missing.front() +
                      " (cmake --workflow --preset dev builds it)");
  }
}

/// What came of one command: whether it succeeded, and what to show of it.
struct Step {
  bool is_ok = false;
  std::string output;
};

/// One submission's build in one folder.
class Build {
 public:
  Build(const Kit& kit, const fs::path& scratch, const BuildOptions& options)
      : kit_(kit),
        variant_(kit.variants.at(options.variant)),
        scratch_(scratch),
        time_limit_(options.time_limit) {}

  Step compile(const Unit& unit) const {
    return run("the compiler", compile_arguments(kit_, variant_, scratch_, unit));
  }

  Step link(const Words& objects) const {
    return run("the linker", link_arguments(kit_, variant_, scratch_, objects));
  }

 private:
  Step run(std::string_view what, const Words& arguments) const {
    CommandLimits limits;
    limits.time = time_limit_;
    const CommandResult command = run_command(
        confined_compiler(kit_, scratch_, arguments, is_sanitized(variant_)), scratch_, limits);
    Step step{.is_ok = command.is_success(),
              .output = with_short_paths(
                  with_short_paths(command.output, scratch_.string(), "<submission>"),
                  kit_.root.string(), "<kit>")};
    if (!step.is_ok) {
      require_fresh_header(variant_, command);
      step.output += failure_note(command, what, time_limit_);
    }
    return step;
  }

  const Kit& kit_;
  const KitVariant& variant_;
  const fs::path& scratch_;
  std::chrono::milliseconds time_limit_;
};

/// Compiles all units at once; the results are in their order.
std::vector<Step> compile_all(const Build& build, const std::vector<Unit>& units) {
  std::vector<std::future<Step>> running;
  for (const Unit& unit : units) {
    running.push_back(
        std::async(std::launch::async, [&build, &unit] { return build.compile(unit); }));
  }
  std::vector<Step> steps;
  for (std::future<Step>& step : running) {
    steps.push_back(step.get());
  }
  return steps;
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
  const std::vector<Unit> units = units_of(exercise, kit, scratch);
  require_whole(kit, options.variant, units);
  const Build build(kit, scratch, options);
  const std::vector<Step> steps = compile_all(build, units);
  BuildResult result;
  result.is_sanitized = is_sanitized(kit.variants.at(options.variant));
  result.foreign_includes = foreign_includes(exercise, scratch);
  Words compiled;
  std::string errors;
  for (std::size_t index = 0; index < units.size(); ++index) {
    if (steps[index].is_ok) {
      compiled.push_back(units[index].object);
      result.output += steps[index].output;
    } else if (units[index].is_part) {
      result.failed_parts[units[index].name] = steps[index].output;
    } else {
      errors += steps[index].output;
    }
  }
  if (!errors.empty()) {
    return {.is_ok = false, .program = {}, .output = errors};
  }
  const Step link = build.link(compiled);
  result.output += link.output;
  result.is_ok = link.is_ok;
  result.program = scratch / "runner";
  return result;
}

}  // namespace driver
