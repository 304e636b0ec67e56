#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pipeline's scenario of many items, with as many as a default check has no time for: an instructor's own case.
set -eu
bin=$1 root=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/cases.json" <<'JSON'
[{"name": "million_items", "scenario": "many_items", "options": {"items": 1000000}, "steps": 100000000}]
JSON
cat >"$scratch/golden.json" <<'JSON'
{"million_items": {"why": "reasoned: 8 items may be ahead, each in a few copies", "also_allowed": [], "observed": {
  "error": null, "in_order": true, "max_items_alive": 100, "items_left": 0}}}
JSON
"$bin/check" pipeline "$root/reference/pipeline" --schedule fifo \
  --cases "$scratch/cases.json" --golden "$scratch/golden.json"
