#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example program of a started exercise, built as a student builds it but with the reference inside. What it
# has to print is in the comment at its top, behind four spaces.
set -eu
bin=$1 root=$2 slug=$3 compiler=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$bin/ol" start "$slug" "$scratch/started" >/dev/null
cp "$root/reference/$slug"/* "$scratch/started"
"$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -pthread \
  -I"$scratch/started" "$scratch/started/main.cpp" -o "$scratch/example"
sed -n 's,^//     ,,p' "$scratch/started/main.cpp" >"$scratch/expected"
[[ -s $scratch/expected ]]
diff "$scratch/expected" <("$scratch/example")
