#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example program of a started exercise, built as a student builds it but with the reference inside.
set -eu
root=$1 compiler=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp "$root"/starter/pool-stop/{main.cpp,item.hpp,options.hpp} "$root/reference/pool-stop/worker_pool.hpp" "$scratch"
"$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -pthread \
  -I"$root/starter" "$scratch/main.cpp" -o "$scratch/pool"
diff <(printf '4\n1\n0\n') <("$scratch/pool")
