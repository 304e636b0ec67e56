// SPDX-License-Identifier: MIT

#include "driver/core/portfolio.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace driver {
namespace {

/// Who asks for fewer schedules than these is in a hurry.
constexpr std::size_t fewest_beside_a_search = 12;

constexpr std::array<std::string_view, 6> kinds = {"random", "random", "pos",
                                                   "random", "pct",    "late"};

}  // namespace

std::vector<std::string> schedules_for(const Case& test_case, const Portfolio& portfolio) {
  const auto cost = std::max<std::size_t>(test_case.data.value("cost", std::size_t{1}), 1);
  const bool is_scenario = test_case.data.contains("scenario");
  const std::size_t count =
      std::min(portfolio.count, std::max<std::size_t>(portfolio.count / cost, 2));
  std::vector<std::string> schedules{"fifo", "lifo"};
  if (portfolio.round > 0) {
    schedules.clear();  // these two are the same in every round
  }
  for (std::uint64_t index = 0; schedules.size() < count; ++index) {
    const std::string_view kind = kinds.at(index % kinds.size());
    const std::uint64_t seed = portfolio.round * count + index + 1;
    schedules.push_back(std::string(is_scenario && kind == "late" ? "pos" : kind) + ":" +
                        std::to_string(seed));
  }
  schedules.resize(count);
  const auto limit = test_case.data.value("exhaustive", std::size_t{0});
  if (limit > 0 && portfolio.round == 0 && portfolio.count >= fewest_beside_a_search) {
    schedules.push_back("exhaustive:" + std::to_string(limit));
  }
  return schedules;
}

}  // namespace driver
