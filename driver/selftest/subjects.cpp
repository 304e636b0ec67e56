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

/// Replaces the one occurrence of the edit's text in all files.
void apply_edit(Files& files, const std::string& subject, const nlohmann::json& edit) {
  const auto old_text = edit.at("old").get<std::string>();
  const auto new_text = edit.at("new").get<std::string>();
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
    throw GraderFault(subject + ": its text to replace occurs " + std::to_string(count) +
                      " times in what it is made from: " + brief(old_text));
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

Subject make_mutant(const nlohmann::json& entry, const Files& reference) {
  Subject mutant = read_subject(SubjectKind::mutant, entry);
  mutant.files = reference;
  for (const nlohmann::json& edit : entry.at("edits")) {
    apply_edit(mutant.files, "mutant " + mutant.name, edit);
  }
  return mutant;
}

void add_mutants(const fs::path& file, const Files& reference, Subjects& subjects) {
  if (!fs::exists(file)) {
    return;
  }
  const nlohmann::json data = read_json(file);
  for (const nlohmann::json& entry : data.at("mutants")) {
    subjects.all.push_back(make_mutant(entry, reference));
  }
  for (const nlohmann::json& entry : data.value("without_mutant", nlohmann::json::array())) {
    subjects.without_mutant[entry.at("rule").get<std::string>()] =
        entry.at("reason").get<std::string>();
  }
}

std::vector<Subject> alternates_in(const fs::path& folder, const Names& names) {
  std::set<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) {
      folders.insert(entry.path());
    }
  }
  std::vector<Subject> alternates;
  for (const fs::path& alternate : folders) {
    alternates.push_back({.kind = SubjectKind::alternate,
                          .name = alternate.filename().string(),
                          .files = read_files(alternate, names)});
  }
  return alternates;
}

std::vector<Subject> cheats_in(const fs::path& folder, const Names& names) {
  std::vector<Subject> cheats;
  const fs::path file = folder / "cheats.json";
  if (fs::exists(file)) {
    const nlohmann::json data = read_json(file);
    for (const nlohmann::json& entry : data.at("cheats")) {
      Subject cheat = read_subject(SubjectKind::cheat, entry);
      cheat.files = read_files(folder / cheat.name, names);
      cheats.push_back(std::move(cheat));
    }
  }
  return cheats;
}

void replace_all(std::string& text, const std::string& old_text, const std::string& new_text) {
  for (std::size_t at = text.find(old_text); at != std::string::npos;
       at = text.find(old_text, at + new_text.size())) {
    text.replace(at, old_text.size(), new_text);
  }
}

void replace_in(std::string& text, const nlohmann::json& variants) {
  for (const nlohmann::json& entry : variants.at("replace")) {
    replace_all(text, entry.at("old").get<std::string>(), entry.at("new").get<std::string>());
  }
}

/// Adds those mutants of another exercise that variants.json names: their edits, with other words.
void add_mutant_variants(const fs::path& kind, const std::string& slug, const Files& reference,
                         Subjects& subjects) {
  const fs::path file = kind / slug / "variants.json";
  if (!fs::exists(file)) {
    return;
  }
  const nlohmann::json variants = read_json(file);
  const auto names = variants.at("names").get<std::set<std::string>>();
  const nlohmann::json rules = variants.value("rules", nlohmann::json::object());
  const fs::path of = kind / variants.at("of").get<std::string>() / "mutants.json";
  nlohmann::json mutants = read_json(of).at("mutants");
  for (nlohmann::json& entry : mutants) {
    const auto name = entry.at("name").get<std::string>();
    if (!names.contains(name)) {
      continue;
    }
    for (nlohmann::json& edit : entry.at("edits")) {
      replace_in(edit.at("old").get_ref<std::string&>(), variants);
      replace_in(edit.at("new").get_ref<std::string&>(), variants);
    }
    entry["rules"] = rules.value(name, entry.at("rules"));
    subjects.all.push_back(make_mutant(entry, reference));
  }
}

/// Makes a subject of one exercise into one of another, as a variants.json says.
void vary(Subject& subject, const nlohmann::json& variants) {
  for (auto& [name, text] : subject.files) {
    replace_in(text, variants);
  }
  const nlohmann::json edits = variants.value("edits", nlohmann::json::object());
  for (const nlohmann::json& edit : edits.value(subject.name, nlohmann::json::array())) {
    apply_edit(subject.files, subject.name, edit);
  }
}

/// Adds the subjects of one kind: those in the folder of the exercise, and those that its
/// variants.json makes from another exercise's.
void add_all(const fs::path& kind, const std::string& slug, const Names& names, Subjects& subjects,
             std::vector<Subject> (*read)(const fs::path& folder, const Names& names)) {
  if (!fs::exists(kind / slug)) {
    return;
  }
  std::vector<Subject> own = read(kind / slug, names);
  if (const fs::path file = kind / slug / "variants.json"; fs::exists(file)) {
    const nlohmann::json variants = read_json(file);
    const auto without = variants.value("without", std::set<std::string>());
    for (Subject& subject : read(kind / variants.at("of").get<std::string>(), names)) {
      if (!without.contains(subject.name)) {
        vary(subject, variants);
        own.push_back(std::move(subject));
      }
    }
  }
  subjects.all.insert(subjects.all.end(), own.begin(), own.end());
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

Subjects load_subjects(const Kit& kit, const Exercise& exercise) {
  const fs::path tests = kit.root / "tests";
  const std::string& slug = exercise.slug;
  const auto file_names = exercise.config.at("files").get<Names>();
  Subjects subjects;
  try {
    const Files reference = read_files(kit.root / "reference" / slug, file_names);
    subjects.all.push_back(
        {.kind = SubjectKind::reference, .name = "reference", .files = reference});
    add_all(tests / "alternates", slug, file_names, subjects, alternates_in);
    for (const std::string& layer : exercise.layers()) {
      add_mutants(tests / "mutants" / layer / "mutants.json", reference, subjects);
    }
    add_mutant_variants(tests / "mutants", slug, reference, subjects);
    add_all(tests / "cheats", slug, file_names, subjects, cheats_in);
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
      return cheats++ % 6 != 0;
    }
    if (subject.kind != SubjectKind::mutant) {
      return false;
    }
    const std::string rule = subject.rules.empty() ? "" : subject.rules.front();
    return !seen.insert(rule).second || ++kept[section_of[rule]] > count;
  });
}

}  // namespace driver
