// SPDX-License-Identifier: MIT
// Item<V> and Done: what travels through the pool's queues. A std::variant<Item<T>, Done>
// is either a value or the end marker, so no value of T can be mistaken for the end: an item of
// type Done travels as Item<Done>, which is the other alternative.
#pragma once

#include <utility>

/// One value on its way through a queue.
template <class V>
struct Item {
  // A constructor makes this no aggregate: g++ 12 destroys an aggregate temporary inside a
  // co_await expression twice.
  explicit Item(V wrapped) : value(std::move(wrapped)) {}

  V value;
};

/// The end marker: whoever takes it from a queue has nothing more to expect.
struct Done {};
