// SPDX-License-Identifier: MIT
//
// The catalogue of this project is whole.

#include "driver/core/catalogue.hpp"
#include "driver/core/language.hpp"
#include "tests/paths.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

class ProjectCatalogue : public ::testing::TestWithParam<std::string> {};

TEST_P(ProjectCatalogue, FollowsItsSchemasAndFitsTogether) {
  const std::filesystem::path catalog = std::filesystem::path(paths::root) / "catalog";
  const Exercise exercise = load_exercise(catalog, GetParam());

  EXPECT_EQ(catalogue_gaps(exercise), std::vector<std::string>{});
  for (const std::string& code : language_codes(catalog)) {
    EXPECT_EQ(Language::load(catalog, code).gaps(exercise), std::vector<std::string>{}) << code;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Exercises, ProjectCatalogue,
    ::testing::ValuesIn(exercise_slugs(std::filesystem::path(paths::root) / "catalog")),
    [](const auto& information) {
      std::string name = information.param;
      std::erase_if(name, [](unsigned char letter) { return std::isalnum(letter) == 0; });
      return name;
    });

}  // namespace
}  // namespace driver
