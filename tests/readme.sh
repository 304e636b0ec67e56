#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the command that README.md shows at its top and compares what it prints with what stands there. A
# line of three dots in the README stands for any lines.
set -u

cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." || exit 1
mapfile -t shown < <(sed -n '/^    \$ /,/^$/s/^    //p' README.md)
read -ra command <<<"${shown[0]#\$ }"
mapfile -t printed < <("${command[@]}" 2>/dev/null)

# As many lines of the output as the README has, from both ends when lines are left out.
expected=("${shown[@]:1}")
for i in "${!expected[@]}"; do
  if [[ ${expected[i]} == ... ]]; then
    after=$((${#expected[@]} - i - 1))
    printed=("${printed[@]:0:i}" ... "${printed[@]: -after}")
    break
  fi
done
diff -u --label README.md --label "${command[*]}" \
  <(printf '%s\n' "${expected[@]}") <(printf '%s\n' "${printed[@]}")
