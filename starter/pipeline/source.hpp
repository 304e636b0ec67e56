// SPDX-License-Identifier: MIT
// Given: what process_all() takes and gives. Leave this file as it is; the check uses its own copy.
#pragma once

#include <concepts>
#include <functional>
#include <ranges>
#include <type_traits>

/// A range that knows its size and is gone through once, item by item. It need not have [].
template <class Items>
concept SizedSource = std::ranges::input_range<Items> && std::ranges::sized_range<Items> &&
                      std::constructible_from<std::ranges::range_value_t<Items>,
                                              std::ranges::range_reference_t<Items>>;

/// The type of one item of `Items`, as a value.
template <class Items>
using ItemOf = std::ranges::range_value_t<Items>;

/// What the awaitable gives that `Process` returns for an item of `Items`.
template <class Items, class Process>
using ResultOf = typename std::invoke_result_t<Process&, ItemOf<Items>>::value_type;
