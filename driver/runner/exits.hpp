// SPDX-License-Identifier: MIT
// Notices a submission that ends the process itself, whichever way it takes.
#pragma once

namespace runner {

/// Who is told of such a call, with its name and exit code; does not return.
using ExitHandler = void (*)(const char* call, int code);

/// Sets the handler; null lets the calls through.
void set_exit_handler(ExitHandler handler);

/// Ends the process at once, for the runner itself.
[[noreturn]] void exit_now(int code);

}  // namespace runner
