// SPDX-License-Identifier: MIT
// Notices calls that block the thread. While a submission's code runs, such a call stops every
// other task, which is a mistake that a clock on the wall can hardly prove.
#pragma once

#include <functional>

namespace sim {

/// Who is told of a blocking call, with its name; does not return.
using BlockingHandler = void (*)(const char* call);

/// Sets the handler; null switches the detector off.
void set_blocking_handler(BlockingHandler handler);

/// Whether a submission's step is running: only then a blocking call is noticed.
void set_in_step(bool in_step);
bool is_in_step();

/// Called by the replaced system functions.
void on_blocking_call(const char* call);

}  // namespace sim
