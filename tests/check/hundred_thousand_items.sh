#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The scenario of many items, with as many as a default check has no time for: an instructor's own case.
set -eu
bin=$1 root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/cases.json" <<'JSON'
[{"name": "hundred_thousand_items", "scenario": "many_items_in_bounded_memory",
  "options": {"items": 100000}, "steps": 20000000}]
JSON
cat >"$scratch/golden.json" <<'JSON'
{"hundred_thousand_items": {"why": "reasoned: 0 + 1 + ... + 99999", "also_allowed": [], "observed": {
  "results": 100000, "sum": 4999950000, "all results": true, "keeps nothing": true, "error": null,
  "lead within its bound": true, "tasks": 0}}}
JSON
"$bin/check" pool-stop "$root/reference/pool-stop" --schedule fifo \
  --cases "$scratch/cases.json" --golden "$scratch/golden.json"
