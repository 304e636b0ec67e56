#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Who hands in the first pool where the second is asked for is told which rules are different: when it does not
# compile there, and when it does but behaves as before.
set -eu
bin=$1 root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
hint="this looks like a solution of pool-stop; what is different here: B1: .* B3: .* B7: "

# Runs a check that ends with the exit status $1.
check() {
  local expected=$1 status=0
  "$bin/check" pool-keep-going "$2" --schedule fifo >"$scratch/out" || status=$?
  [[ $status == "$expected" ]] || { echo "exit status $status, not $expected" >&2 && return 1; }
  grep "$hint" "$scratch/out" >/dev/null || { echo "no hint for $2" >&2 && return 1; }
}

check 3 "$root/reference/pool-stop"

mkdir "$scratch/first"
sed -e '/options.retryable = /d' -e 's/"failed", item/"failure", item/' \
  -e 's/{ errors_.push_back(std::move(error)); }/{\n    errors_.push_back(std::move(error));\n    request_stop();\n  }/' \
  "$root/reference/pool-keep-going/worker_pool.hpp" >"$scratch/first/worker_pool.hpp"
check 1 "$scratch/first"
# Grouped by rule: the three that are different stand at the top, in whatever order.
causes=$(sed -n '/^failures by cause/{n;N;N;p}' "$scratch/out" | grep -o '^  [A-Z][0-9]*' | sort | xargs)
[[ $causes == "B1 B3 B7" ]] || { echo "the first causes are $causes" >&2 && exit 1; }
