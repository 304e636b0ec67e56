// SPDX-License-Identifier: MIT
//
// The program `check`: one submission, every case, one verdict.

#include "driver/built_in_kit.hpp"
#include "driver/core/cli.hpp"
#include "driver/core/kit.hpp"
#include "driver/core/scratch.hpp"

int main(int argc, char** argv) {
  driver::Scratch::remove_on_signals();
  return driver::check_program(argc, argv, driver::kit_file(driver::built_in_kit));
}
