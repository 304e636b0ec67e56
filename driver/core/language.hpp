// SPDX-License-Identifier: MIT
//
// The language in which a check talks to people. The program and the catalogue are written in
// English; catalog/languages/<code>.json has the same texts in another language. The JSON report is
// for programs and stays as it is.

#pragma once

#include "driver/core/catalogue.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace driver {

/// English, or a translation of it.
class Language {
 public:
  Language() = default;

  /// Loads the language of this code ("nl"); "" and "en" are English.
  /// Errors: BadInput for a language that is not there, with those that are; GraderFault for a file
  /// that breaks its schema.
  static Language load(const std::filesystem::path& catalog, const std::string& code);

  /// Gives `text` with `values` in the places {0}, {1} and so on. A text without a translation
  /// stays English.
  std::string operator()(const std::string& text,
                         const std::vector<std::string>& values = {}) const;

  /// Translates a sentence whose values are in it already, such as the message of a violation: by
  /// the text with places that fits it. A rule and a colon in front stay there.
  std::string sentence(const std::string& text) const;

  /// Gives "1 case" or "2 cases": `what` is the word for one, and has an s for more.
  std::string plural(std::size_t count, const std::string& what) const;

  /// Gives the exercise with the title, rules, pitfalls and cases that people read in this
  /// language, as far as they are translated.
  Exercise translated(Exercise exercise) const;

  /// Says what the language lacks of an exercise that it translates, or has too much.
  std::vector<std::string> gaps(const Exercise& exercise) const;

 private:
  nlohmann::json content_;
};

/// Gives the codes of the languages there are, English first.
std::vector<std::string> language_codes(const std::filesystem::path& catalog);

}  // namespace driver
