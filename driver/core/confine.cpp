// SPDX-License-Identifier: MIT

#include "driver/core/confine.hpp"

#include <set>

namespace driver {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void add(Words& words, const std::string& option, const std::set<std::string>& values) {
  for (const std::string& value : values) {
    words.push_back(option);
    words.push_back(value);
  }
}

/// What every program needs: libraries, and how the loader finds them.
const std::set<std::string>& system_files() {
  static const std::set<std::string> files{"/usr",
                                           "/lib",
                                           "/lib64",
                                           "/bin",
                                           "/proc",
                                           "/dev/random",
                                           "/dev/urandom",
                                           "/etc/alternatives",
                                           "/etc/ld.so.cache"};
  return files;
}

Words finished(Words words, const Words& arguments) {
  add(words, "--write", {"/dev/null"});
  words.push_back("--");
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace

Words confined_compiler(const Kit& kit, const fs::path& scratch, const Words& arguments,
                        bool is_sanitized) {
  if (kit.confine.empty()) {
    return arguments;
  }
  Words words{kit.confine.string(), "--file", std::to_string(1ULL << 30U)};
  if (!is_sanitized) {
    words.insert(words.end(), {"--memory", std::to_string(4ULL << 30U)});
  }
  std::set<std::string> readable = system_files();
  readable.insert((kit.root / "driver").string());
  readable.insert((kit.root / "starter" / "aio").string());
  readable.insert(kit.file.parent_path().string());
  readable.insert(fs::path(kit.compiler).parent_path().parent_path().string());
  for (const auto& [name, variant] : kit.variants) {
    for (const std::string& word : variant.link) {
      if (word.starts_with("/")) {
        readable.insert(word);
      }
    }
  }
  add(words, "--read", readable);
  add(words, "--write", {scratch.string()});
  return finished(std::move(words), arguments);
}

Words confined_runner(const Kit& kit, const fs::path& program) {
  if (kit.confine.empty()) {
    return {program.string()};
  }
  Words words{kit.confine.string(), "--processes"};
  add(words, "--read", system_files());
  add(words, "--read", {program.string()});
  return finished(std::move(words), {program.string()});
}

}  // namespace driver
