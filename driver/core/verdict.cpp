// SPDX-License-Identifier: MIT
//
// The names of the verdicts.

#include "driver/core/verdict.hpp"

namespace driver {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::wrong:
      return "wrong";
    case Verdict::not_implemented:
      return "not implemented";
    case Verdict::crash:
      return "crash";
    case Verdict::deadlock:
      return "deadlock";
    case Verdict::livelock:
      return "livelock";
    case Verdict::blocked:
      return "blocked the loop";
    case Verdict::time_limit:
      return "time limit";
    case Verdict::memory:
      return "memory";
    case Verdict::output_limit:
      return "output limit";
    case Verdict::exited:
      return "exited early";
    case Verdict::build_failed:
      return "could not build";
    case Verdict::grader_fault:
      return "grader fault";
  }
  return "grader fault";
}

}  // namespace driver
