#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The reference's report is the goldens' report, key by key: those came from elsewhere (catalog/README.md).
# Then a report is changed, and the comparison must notice.
set -eu
bin=$1 root=$2 slug=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$bin/check" "$slug" "$root/reference/$slug" --schedule fifo --json "$scratch/report.json" >/dev/null
"$bin/ol" compare "$scratch/report.json"

sed -i -e '0,/"\(outcome\|result\)": "[a-z ]*"/s//"\1": "wrong"/' -e '0,/"peak": 1/s//"peak": 99/' \
  "$scratch/report.json"
if "$bin/ol" compare "$scratch/report.json" >"$scratch/differences"; then
  echo "a changed report was not noticed" >&2
  exit 1
fi
