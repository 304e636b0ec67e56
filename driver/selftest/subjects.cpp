// SPDX-License-Identifier: MIT
//
// Mutants are edits of the reference, so that what is wrong with each is what one reads.

#include "driver/selftest/subjects.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/json_text.hpp"
#include "driver/core/submission.hpp"
#include "driver/core/text_file.hpp"

#include <algorithm>
#include <set>

namespace driver {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

Files read_files(const fs::path& folder, const Names& names) {
  Files files;
  for (const std::string& name : names) {
    files[name] = read_file(folder / name, largest_submitted_file);
  }
  return files;
}

/// Replaces the one occurrence of `old_text` in all files.
void apply_edit(Files& files, const std::string& mutant, const std::string& old_text,
                const std::string& new_text) {
  std::string* place = nullptr;
  std::size_t position = 0;
  std::size_t count = 0;
  for (auto& [name, text] : files) {
    for (std::size_t at = text.find(old_text); at != std::string::npos;
         at = text.find(old_text, at + 1)) {
      place = &text;
      position = at;
      ++count;
    }
  }
  if (count != 1) {
    throw GraderFault("mutant " + mutant + ": its text to replace occurs " + std::to_string(count) +
                      " times in the reference: " + brief(old_text));
  }
  place->replace(position, old_text.size(), new_text);
}

Subject read_subject(SubjectKind kind, const nlohmann::json& entry) {
  Subject subject{.kind = kind, .name = entry.at("name").get<std::string>()};
  subject.rules = entry.value("rules", Names());
  subject.verdicts = entry.at("verdicts").get<Names>();
  subject.why = entry.at("why").get<std::string>();
  return subject;
}

void add_mutants(const fs::path& file, const Files& reference, Subjects& subjects) {
  if (!fs::exists(file)) {
    return;
  }
  const nlohmann::json data = read_json(file);
  for (const nlohmann::json& entry : data.at("mutants")) {
    Subject mutant = read_subject(SubjectKind::mutant, entry);
    mutant.files = reference;
    for (const nlohmann::json& edit : entry.at("edits")) {
      apply_edit(mutant.files, mutant.name, edit.at("old").get<std::string>(),
                 edit.at("new").get<std::string>());
    }
    subjects.all.push_back(std::move(mutant));
  }
  for (const nlohmann::json& entry : data.value("without_mutant", nlohmann::json::array())) {
    subjects.without_mutant[entry.at("rule").get<std::string>()] =
        entry.at("reason").get<std::string>();
  }
}

void add_alternates(const fs::path& folder, const Names& names, Subjects& subjects) {
  if (!fs::exists(folder)) {
    return;
  }
  std::set<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) {
      folders.insert(entry.path());
    }
  }
  for (const fs::path& alternate : folders) {
    subjects.all.push_back({.kind = SubjectKind::alternate,
                            .name = alternate.filename().string(),
                            .files = read_files(alternate, names)});
  }
}

void add_cheats(const fs::path& folder, const Names& names, Subjects& subjects) {
  const fs::path file = folder / "cheats.json";
  if (!fs::exists(file)) {
    return;
  }
  const nlohmann::json data = read_json(file);
  for (const nlohmann::json& entry : data.at("cheats")) {
    Subject cheat = read_subject(SubjectKind::cheat, entry);
    cheat.files = read_files(folder / cheat.name, names);
    subjects.all.push_back(std::move(cheat));
  }
}

}  // namespace

std::string_view to_string(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::reference:
      return "reference";
    case SubjectKind::alternate:
      return "alternate";
    case SubjectKind::mutant:
      return "mutant";
    case SubjectKind::cheat:
      break;
  }
  return "cheat";
}

Subjects load_subjects(const Kit& kit, const std::string& slug, const Names& file_names) {
  const fs::path tests = kit.root / "tests";
  Subjects subjects;
  try {
    const Files reference = read_files(kit.root / "reference" / slug, file_names);
    subjects.all.push_back(
        {.kind = SubjectKind::reference, .name = "reference", .files = reference});
    add_alternates(tests / "alternates" / slug, file_names, subjects);
    add_mutants(tests / "mutants" / slug / "mutants.json", reference, subjects);
    add_cheats(tests / "cheats" / slug, file_names, subjects);
  } catch (const BadInput& error) {
    throw GraderFault(error.what());
  } catch (const nlohmann::json::exception& error) {
    throw GraderFault("the list of mutants or cheats of " + slug + " is broken: " + error.what());
  }
  return subjects;
}

void keep_a_sample(Subjects& subjects, const nlohmann::json& rules, std::size_t count) {
  std::map<std::string, std::string> section_of;
  for (const nlohmann::json& rule : rules) {
    section_of[rule.at("id").get<std::string>()] = rule.at("section").get<std::string>();
  }
  std::set<std::string> seen;
  std::map<std::string, std::size_t> kept;
  std::size_t cheats = 0;
  std::erase_if(subjects.all, [&](const Subject& subject) {
    if (subject.kind == SubjectKind::cheat) {
      return cheats++ % 3 != 0;
    }
    if (subject.kind != SubjectKind::mutant) {
      return false;
    }
    const std::string rule = subject.rules.empty() ? "" : subject.rules.front();
    return !seen.insert(rule).second || ++kept[section_of[rule]] > count;
  });
}

}  // namespace driver
