// SPDX-License-Identifier: MIT
//
// Matches what should have come out of a pool, where each thing may come in more than one form,
// with what did come out.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace driver {

/// One thing that is expected exactly once, in any of `forms`.
struct Slot {
  std::vector<std::string> forms;  ///< Exact texts, in the order in which they are tried.
  std::vector<std::string> any_of_kind = {};  ///< Texts that begin with one of these also do.
  bool is_optional = false;
  std::optional<std::size_t> matched = {};  ///< Index of the text that fills it.
};

/// Fills the slots and gives the indices of the texts that fill none, in order. Slots with one
/// exact form choose first, then those with several, then those that take whole kinds.
std::vector<std::size_t> fill(std::vector<Slot>& slots, const std::vector<std::string>& texts);

}  // namespace driver
