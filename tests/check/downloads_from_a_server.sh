#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The example program of a started lang.08, built as a student builds it but with the reference inside, downloads
# from the program behind `ol serve`.
set -eu
bin=$1 root=$2 slug=$3 compiler=$4
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$scratch"' EXIT

"$bin/ol" start "$slug" "$scratch/started" >/dev/null
cp "$root/reference/$slug"/* "$scratch/started"
"$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -pthread \
  -I"$scratch/started" "$scratch/started"/*.cpp -o "$scratch/download"

mkfifo "$scratch/log"
"$bin/ol" serve "$slug" --port 0 >"$scratch/log" &
exec 3<"$scratch/log"
read -r _ place _ <&3
place=${place%/,}
cat <&3 >/dev/null &

cat >"$scratch/expected" <<TEXT
$place/hello.txt: 11 bytes
$place/busy-twice: 11 bytes
$place/cut-once: 11 bytes
$place/megabyte: 1000000 bytes
$place/chunked: 11 bytes
TEXT
diff "$scratch/expected" <("$scratch/download" "$place"/{hello.txt,busy-twice,cut-once,megabyte,chunked,hello.txt})

if "$scratch/download" "$place/missing" 2>"$scratch/error"; then
  echo "a 404 was downloaded" >&2
  exit 1
fi
grep -q "HTTP 404 for $place/missing" "$scratch/error"
