// SPDX-License-Identifier: MIT

#include "driver/core/shrink.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace driver {
namespace {

using Choices = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// `choices` without those in [first, first + count).
Choices without(const Choices& choices, std::size_t first, std::size_t count) {
  Choices rest;
  for (std::size_t index = 0; index < choices.size(); ++index) {
    if (index < first || index >= first + count) {
      rest.push_back(choices[index]);
    }
  }
  return rest;
}

}  // namespace

protocol::Path shrink(protocol::Path path, const StillFails& still_fails, int most_tries) {
  Choices choices(path.begin(), path.end());
  std::size_t part = choices.size();
  while (part > 0 && most_tries > 0) {
    bool has_shrunk = false;
    for (std::size_t first = 0; first < choices.size() && most_tries > 0;) {
      const Choices rest = without(choices, first, part);
      --most_tries;
      if (still_fails(protocol::Path(rest.begin(), rest.end()))) {
        choices = rest;
        has_shrunk = true;
      } else {
        first += part;
      }
    }
    // The smallest parts once more, until none of them can go.
    part = part > 1 ? (part + 1) / 2 : (has_shrunk ? 1 : 0);
  }
  return {choices.begin(), choices.end()};
}

}  // namespace driver
