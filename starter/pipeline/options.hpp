// SPDX-License-Identifier: MIT
// Given: the settings of a pipeline. Leave this file as it is; the check uses its own copy.
#pragma once

#include "aio/limit.hpp"

/// The settings of process_all(), by name.
/// Example: `{.workers = 3, .capacity = 10}`
struct PipelineOptions {
  /// How many calls of the process function are under way at once. Bounds: at least 1.
  aio::Limit workers;
  /// How many items may wait for a worker. Bounds: at least 1.
  aio::Limit capacity;
};
