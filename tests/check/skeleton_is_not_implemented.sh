#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `ol start` gives compiles without warnings, and every case of it says "not implemented".
set -eu
bin=$1 root=$2 slug=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$bin/ol" start "$slug" "$scratch/started" >/dev/null
status=0
"$bin/check" "$slug" "$scratch/started" --json "$scratch/report.json" >/dev/null || status=$?
[[ $status == 1 ]] || { echo "exit status $status, expected 1" >&2; exit 1; }
cases=$("$bin/check" "$slug" "$scratch/started" --list | wc -l)
grep -q "\"not implemented\": $cases\$" <(grep -A3 '"summary": {' "$scratch/report.json" | tr -d ,) ||
  { grep -A14 '"summary": {' "$scratch/report.json" | head -16 >&2; exit 1; }
