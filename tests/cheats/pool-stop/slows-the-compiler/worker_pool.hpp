// SPDX-License-Identifier: MIT
// Cheat: templates that double with each level, to keep the compiler busy. It runs into the limit
// of the levels first.
#pragma once

template <unsigned long level, unsigned long branch>
struct Tree {
  static constexpr unsigned long size =
      Tree<level - 1, 2 * branch>::size + Tree<level - 1, 2 * branch + 1>::size;
};

static_assert(Tree<5000, 0>::size == 0);
