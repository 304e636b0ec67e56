// SPDX-License-Identifier: MIT
// The life of a case's own process.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>

namespace runner {

/// What the driver asks the runner to do.
/// Lifetime: the descriptors belong to the request: payload, report, standard output and error.
struct Request {
  std::uint64_t id = 0;
  std::uint64_t token = 0;
  nlohmann::json limits;
  int payload = -1;
  int report = -1;
  int output = -1;
  int error = -1;
};

/// Runs the request's case under each of its schedules, and ends the process.
[[noreturn]] void run_child(const Request& request);

}  // namespace runner
