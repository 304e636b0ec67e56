// SPDX-License-Identifier: MIT
//
// Makes a failing schedule short: the fewest choices that differ from fifo and still fail.

#pragma once

#include "driver/protocol/schedule.hpp"

#include <functional>

namespace driver {

/// Whether a run under a path still fails as the first one did.
using StillFails = std::function<bool(const protocol::Path& path)>;

/// Leaves out of `path` whatever can be left out.
///
/// Shape: of the result no single choice can be left out, unless `most_tries` came to an end first.
/// Source: delta debugging (Zeller and Hildebrandt, TSE 2002): halves first, then smaller parts.
protocol::Path shrink(protocol::Path path, const StillFails& still_fails, int most_tries);

}  // namespace driver
