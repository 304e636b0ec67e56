// SPDX-License-Identifier: MIT
//
// Plain text: it is read in a terminal, and searched with grep.

#include "driver/core/tests_page.hpp"

#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"

#include <map>
#include <sstream>
#include <utility>
#include <vector>

namespace driver {
namespace {

using nlohmann::json;

std::string joined(const json& words) {
  std::string text;
  for (const json& word : words) {
    text += (text.empty() ? "" : ", ") + word.get<std::string>();
  }
  return text;
}

std::string case_entry(const Case& test_case, const Language& in) {
  const json& data = test_case.data;
  std::string text =
      "  " + printable(test_case.name) + "  [" + in(data.value("kind", "unit")) + "]";
  const std::string rules = joined(data.value("rules", json::array()));
  text += rules.empty() ? "\n" : "  " + rules + "\n";
  const std::string checks = data.value("checks", data.value("rule", ""));
  text += wrapped(printable(checks, 2000), "      ");
  const std::string why = data.value("why", "");
  return text + (why.empty() ? "" : wrapped(in("why: {0}", {printable(why, 2000)}), "      "));
}

std::string pitfall_entry(const json& pitfall, const Language& in) {
  return "  " + pitfall.at("title").get<std::string>() + "  " + joined(pitfall.at("rules")) + "\n" +
         wrapped(pitfall.at("why").get<std::string>(), "      ") +
         wrapped(in("caught by: {0}", {joined(pitfall.at("cases"))}), "      ");
}

/// How long it takes, what it builds on, and what builds on it.
std::string overview(const json& config, const Language& in) {
  std::string text;
  if (config.contains("hours")) {
    text += in("hours: {0}", {brief(config.at("hours"))}) + "\n";
  }
  for (const auto& [key, title] :
       {std::pair("needs", "needs: {0}"), std::pair("used_by", "used by: {0}")}) {
    if (config.contains(key) && !config.at(key).empty()) {
      text += wrapped(in(title, {joined(config.at(key))}), "");
    }
  }
  const std::string milestone = config.value("milestone", "");
  return text + (milestone.empty() ? "" : in("milestone: {0}", {milestone}) + "\n");
}

}  // namespace

std::string wrapped(const std::string& text, const std::string& indent, std::size_t width) {
  std::istringstream words(text);
  std::string result;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > width) {
      result += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return result + (line.empty() ? "" : indent + line + "\n");
}

std::string tests_page(const Exercise& original, const Language& in) {
  const Exercise exercise = in.translated(original);
  std::vector<std::string> families;
  std::map<std::string, std::string> entries;
  for (const Case& test_case : exercise.cases) {
    const std::string family = test_case.data.value("family", "cases");
    if (!entries.contains(family)) {
      families.push_back(family);
    }
    entries[family] += case_entry(test_case, in);
  }
  std::string text = exercise.slug + ": " + exercise.config.at("title").get<std::string>() + "\n" +
                     in.plural(exercise.cases.size(), "case") + "\n" +
                     overview(exercise.config, in);
  for (const std::string& family : families) {
    text += "\n" + printable(family) + "\n" + entries[family];
  }
  text += exercise.pitfalls.empty() ? "" : "\n" + in("pitfalls") + "\n";
  for (const json& pitfall : exercise.pitfalls) {
    text += pitfall_entry(pitfall, in);
  }
  return text;
}

}  // namespace driver
