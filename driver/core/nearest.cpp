// SPDX-License-Identifier: MIT
//
// The edit distance behind "did you mean ...?".

#include "driver/core/nearest.hpp"

#include "driver/core/escape.hpp"

#include <algorithm>
#include <cctype>

namespace driver {
namespace {

constexpr std::size_t longest_compared = 200;

std::string folded(std::string_view name) {
  std::string result(name.substr(0, longest_compared));
  std::ranges::transform(result, result.begin(), [](char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  });
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  left = left.substr(0, longest_compared);
  right = right.substr(0, longest_compared);
  std::vector<std::vector<std::size_t>> cost(left.size() + 1,
                                             std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) {
    for (std::size_t j = 0; j <= right.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t differs = left[i - 1] == right[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + differs});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[left.size()][right.size()];
}

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  const std::string wanted = folded(name);
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  std::optional<std::string> best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    const std::string known = folded(candidate);
    std::size_t distance = edit_distance(wanted, known);
    const bool starts_it = wanted.size() >= 3 && known.starts_with(wanted);
    distance = starts_it ? std::min<std::size_t>(distance, 2) : distance;
    if (distance < best_distance && distance < std::max(wanted.size(), known.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::optional<std::string> candidate = nearest(name, candidates);
  return candidate ? ", did you mean " + in_quotes(*candidate) + "?" : "";
}

}  // namespace driver
