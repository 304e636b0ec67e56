// SPDX-License-Identifier: MIT
//
// The inspection: one clear line for each way in which a folder is no submission.

#include "driver/core/submission.hpp"

#include "driver/core/contained_file.hpp"
#include "driver/core/digest.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/nearest.hpp"
#include "driver/core/text_file.hpp"

#include <algorithm>
#include <set>
#include <system_error>

namespace driver {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 10000;

/// Names in a folder, sorted; folders end in "/".
std::vector<std::string> listing(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; entry != end && !failed;
       entry.increment(failed)) {
    std::error_code ignored;
    const bool is_folder = entry->is_directory(ignored) && !entry->is_symlink(ignored);
    names.push_back(entry->path().filename().string() + (is_folder ? "/" : ""));
    if (names.size() >= most_entries) {
      break;
    }
  }
  std::ranges::sort(names);
  return names;
}

std::string shown_listing(const std::vector<std::string>& names) {
  constexpr std::size_t most_shown = 8;
  std::string text;
  for (std::size_t index = 0; index < std::min(names.size(), most_shown); ++index) {
    text += (index == 0 ? "" : ", ") + printable(names[index], 60);
  }
  if (names.size() > most_shown) {
    text += " and " + std::to_string(names.size() - most_shown) + " more";
  }
  return text.empty() ? "nothing" : text;
}

/// Where the file lies instead: in a folder one level down.
std::string hint_below(const fs::path& folder, const std::string& name,
                       const std::vector<std::string>& names) {
  for (const std::string& below : names) {
    std::error_code ignored;
    if (below.ends_with("/") && fs::exists(folder / below / name, ignored)) {
      return "; there is one in " + in_quotes(below) + ": give that folder";
    }
  }
  return "";
}

[[noreturn]] void refuse_missing(const fs::path& folder, const std::string& name) {
  const std::vector<std::string> names = listing(folder);
  const std::string below = hint_below(folder, name, names);
  throw BadInput("no " + name + " in " + in_quotes(folder.string()) + ", which holds " +
                 shown_listing(names) + (below.empty() ? did_you_mean(name, names) : below));
}

fs::path checked_folder(const fs::path& folder, const Exercise& exercise) {
  std::error_code failed;
  const fs::path canonical = fs::canonical(folder, failed);
  if (failed) {
    throw BadInput("no such folder: " + in_quotes(folder.string()));
  }
  if (!fs::is_directory(canonical, failed)) {
    const auto& files = exercise.config.at("files");
    throw BadInput(in_quotes(folder.string()) + " is not a folder; give the folder that holds " +
                   files.at(0).get<std::string>());
  }
  return canonical;
}

SubmittedFile read_submitted(const fs::path& folder, const fs::path& shown,
                             const std::string& name) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(folder / name, ignored))) {
    refuse_missing(shown.empty() ? folder : shown, name);
  }
  SubmittedFile file{
      .name = name, .text = read_contained(folder, name, largest_submitted_file), .digest = {}};
  require_text(name, file.text);
  file.digest = digest(file.text);
  return file;
}

/// Compares the submission's copy of a kit file, when there is one, with the kit's.
void warn_when_changed(Submission& submission, const std::string& name, const fs::path& original) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(submission.folder / name, ignored))) {
    return;
  }
  std::string copy;
  try {
    copy = read_contained(submission.folder, name, largest_submitted_file);
  } catch (const BadInput& error) {
    submission.warnings.push_back(std::string(error.what()) + "; the kit's own is used");
    return;
  }
  if (copy != read_file(original, largest_submitted_file)) {
    submission.warnings.push_back(printable(name) +
                                  " differs from the kit's; the check uses the kit's own");
  }
}

void warn_of_kit_files(Submission& submission, const Exercise& exercise, const Kit& kit) {
  for (const auto& given : exercise.config.at("given")) {
    const auto name = given.get<std::string>();
    warn_when_changed(submission, name, starter_file(kit, exercise, name));
  }
  for (const NamedDigest& header : digests_under(kit.starter("aio"), "aio/")) {
    warn_when_changed(submission, header.name, kit.root / "starter" / header.name);
  }
}

void warn_of_extra_sources(Submission& submission, const Exercise& exercise) {
  std::set<std::string> known;
  for (const char* list : {"files", "given"}) {
    for (const auto& name : exercise.config.at(list)) {
      known.insert(name.get<std::string>());
    }
  }
  const std::set<std::string> endings{".hpp", ".h", ".hh", ".cpp", ".cc", ".cxx", ".ipp"};
  for (const std::string& name : listing(submission.folder)) {
    if (endings.contains(fs::path(name).extension().string()) && !known.contains(name)) {
      submission.warnings.push_back(printable(name) + " is not part of what is handed in");
    }
  }
}

}  // namespace

Submission inspect_submission(const fs::path& folder, const Exercise& exercise, const Kit& kit) {
  Submission submission;
  submission.folder = checked_folder(folder, exercise);
  std::vector<NamedDigest> digests;
  for (const auto& name : exercise.config.at("files")) {
    submission.files.push_back(read_submitted(submission.folder, folder, name.get<std::string>()));
    const SubmittedFile& file = submission.files.back();
    digests.push_back({file.name, file.digest});
    const std::string warning = encoding_warning(file.name, file.text);
    if (!warning.empty()) {
      submission.warnings.push_back(warning);
    }
  }
  submission.digest = digest_of_all(digests);
  warn_of_kit_files(submission, exercise, kit);
  warn_of_extra_sources(submission, exercise);
  return submission;
}

}  // namespace driver
