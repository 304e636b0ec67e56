// SPDX-License-Identifier: MIT
//
// Facts only: each line says what was found, not what should be.

#include "driver/core/doctor.hpp"

#include "driver/core/catalogue.hpp"
#include "driver/core/command.hpp"
#include "driver/core/kit.hpp"
#include "driver/core/language.hpp"
#include "driver/core/text_file.hpp"
#include "driver/core/unique_fd.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <regex>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <system_error>
#include <unistd.h>

namespace driver {
namespace {

namespace fs = std::filesystem;

constexpr int oldest_clang = 16;

std::string first_line_of(const std::vector<std::string>& command) {
  const CommandResult result = run_command(command, "/", {.time = std::chrono::seconds(10)});
  return result.is_success() ? result.output.substr(0, result.output.find('\n')) : "";
}

void find_compilers(std::vector<Finding>& findings) {
  bool has_clang = false;
  for (const char* name :
       {"clang++-20", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++", "g++"}) {
    const fs::path program = fs::path("/usr/bin") / name;
    std::error_code ignored;
    if (!fs::exists(program, ignored)) {
      continue;
    }
    findings.push_back(compiler_finding(name, first_line_of({program.string(), "--version"})));
    has_clang = has_clang ||
                (std::string(name).starts_with("clang") && findings.back().health == Health::good);
  }
  if (!has_clang) {
    findings.push_back(
        {Health::bad, "no clang of version 16 or newer", "sudo apt-get install clang-19 lld-19"});
  }
}

Finding boost_finding() {
  const fs::path header = "/usr/include/boost/version.hpp";
  std::string text;
  try {
    text = read_file(header, 1U << 16U);
  } catch (const BadInput&) {
    return {Health::bad, "no Boost headers", "sudo apt-get install libboost1.81-dev"};
  }
  std::smatch found;
  const std::regex pattern("#define BOOST_VERSION ([0-9]+)");
  const int version = std::regex_search(text, found, pattern) ? std::stoi(found[1]) : 0;
  const std::string shown =
      "Boost " + std::to_string(version / 100000) + "." + std::to_string(version / 100 % 1000);
  return version >= 108100 ? Finding{Health::good, shown, ""}
                           : Finding{Health::bad, shown + ", older than 1.81",
                                     "sudo apt-get install libboost1.81-dev"};
}

Finding kernel_finding() {
  utsname names{};
  ::uname(&names);
  const std::string kernel = std::string("kernel ") + names.release;
  const UniqueFd memory(::memfd_create("ol-doctor", MFD_CLOEXEC));
  if (!memory.is_open()) {
    return {Health::bad, kernel + ", memfd_create: " + std::strerror(errno),
            "run on Linux 5.3 or newer, outside a sandbox that forbids it"};
  }
  const UniqueFd process(process_descriptor(::getpid()));
  if (!process.is_open()) {
    return {Health::bad, kernel + ", pidfd_open: " + std::strerror(errno),
            "run on Linux 5.3 or newer, outside a sandbox that forbids it"};
  }
  return {Health::good, kernel, ""};
}

/// What the program `confine` can do here.
Finding confinement_finding(const Kit& kit) {
  constexpr long ask_for_version = 1;
  const bool hides_files = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_for_version) >= 1;
  const CommandResult probe =
      run_command({kit.confine.string(), "--processes", "--", "/bin/sh", "-c", "test $$ = 1"}, "/");
  if (hides_files && probe.is_success()) {
    return {Health::good, "submissions see neither other files nor other processes", ""};
  }
  return {Health::warning,
          std::string("a submission can ") + (hides_files ? "" : "read other files") +
              (hides_files || probe.is_success() ? "" : " and ") +
              (probe.is_success() ? "" : "signal other processes"),
          "grade strangers' work where the kernel has Landlock and PID namespaces"};
}

Finding space_finding() {
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  const fs::space_info space = fs::space(folder, failed);
  if (failed) {
    return {Health::bad, "no temporary folder: " + failed.message(), "set TMPDIR"};
  }
  const auto megabytes = space.available >> 20U;
  const std::string shown = std::to_string(megabytes) + " MiB free in " + folder.string();
  return megabytes >= 500 ? Finding{Health::good, shown, ""}
                          : Finding{Health::bad, shown, "free some space, or set TMPDIR"};
}

/// Newest change of a source that the kit was built from.
fs::file_time_type newest_source(const Kit& kit) {
  fs::file_time_type newest = fs::file_time_type::min();
  for (const char* part :
       {"driver/runner", "driver/sim", "driver/fixtures", "driver/protocol", "starter/aio"}) {
    std::error_code failed;
    for (fs::recursive_directory_iterator entry(kit.root / part, failed), end;
         !failed && entry != end; entry.increment(failed)) {
      if (entry->is_regular_file(failed)) {
        newest = std::max(newest, entry->last_write_time(failed));
      }
    }
  }
  return newest;
}

/// Where the exercise and its translations do not fit together.
std::vector<std::string> gaps_of(const Exercise& exercise, const Kit& kit) {
  std::vector<std::string> gaps = catalogue_gaps(exercise);
  for (const std::string& code : language_codes(kit.catalog())) {
    for (const std::string& gap : Language::load(kit.catalog(), code).gaps(exercise)) {
      gaps.push_back("languages/" + code + ".json: " + gap);
    }
  }
  return gaps;
}

void examine_kit(const fs::path& kit_file, std::vector<Finding>& findings) {
  const std::string rebuild = "cmake --workflow --preset dev";
  try {
    const Kit kit = load_kit(kit_file);
    const std::vector<std::string> missing = missing_kit_files(kit, "plain");
    if (!missing.empty()) {
      findings.push_back({Health::bad, "the kit lacks " + missing.front(), rebuild});
      return;
    }
    const std::string& pch = kit.variants.at("plain").pch;
    std::error_code ignored;
    const bool is_stale = !pch.empty() && fs::last_write_time(pch, ignored) < newest_source(kit);
    findings.push_back(
        {is_stale ? Health::warning : Health::good,
         "kit built with " + kit.compiler_name + (is_stale ? ", older than its sources" : ""),
         is_stale ? rebuild : ""});
    if (!kit.confine.empty()) {
      findings.push_back(confinement_finding(kit));
    }
    for (const std::string& slug : exercise_slugs(kit.catalog())) {
      const std::vector<std::string> gaps = gaps_of(load_exercise(kit.catalog(), slug), kit);
      findings.push_back({gaps.empty() ? Health::good : Health::warning,
                          "exercise " + slug + (gaps.empty() ? "" : ": " + gaps.front()), ""});
    }
  } catch (const GraderFault& fault) {
    findings.push_back({Health::bad, fault.what(), rebuild});
  }
}

}  // namespace

int major_version(const std::string& version_line) {
  std::smatch found;
  return std::regex_search(version_line, found, std::regex("([0-9]{1,4})\\.[0-9]+\\.[0-9]+"))
             ? std::stoi(found[1])
             : 0;
}

Finding compiler_finding(const std::string& name, const std::string& version_line) {
  const int major = major_version(version_line);
  if (major == 0) {
    return {Health::warning, name + " does not say its version", ""};
  }
  const std::string shown = name + ": " + version_line;
  if (name.starts_with("clang")) {
    return major >= oldest_clang ? Finding{Health::good, shown, ""}
                                 : Finding{Health::warning, shown + " (too old: 16 is needed)",
                                           "sudo apt-get install clang-19 lld-19"};
  }
  return major == 12 ? Finding{Health::warning,
                               shown +
                                   " (miscompiles some co_await expressions; submissions are "
                                   "built with clang)",
                               "build your own with clang too"}
                     : Finding{Health::good, shown, ""};
}

std::vector<Finding> examine(const fs::path& kit_file) {
  std::vector<Finding> findings;
  find_compilers(findings);
  findings.push_back(boost_finding());
  findings.push_back(kernel_finding());
  findings.push_back(space_finding());
  examine_kit(kit_file, findings);
  return findings;
}

ExitCode run_doctor(const fs::path& kit_file, std::ostream& out) {
  bool is_fit = true;
  for (const Finding& finding : examine(kit_file)) {
    const char* mark = finding.health == Health::good      ? "ok       "
                       : finding.health == Health::warning ? "warning  "
                                                           : "bad      ";
    out << mark << finding.what << "\n";
    if (!finding.remedy.empty()) {
      out << "         -> " << finding.remedy << "\n";
    }
    is_fit = is_fit && finding.health != Health::bad;
  }
  out << (is_fit ? "fit to check submissions\n" : "not fit to check submissions\n");
  return is_fit ? ExitCode::pass : ExitCode::fail;
}

}  // namespace driver
