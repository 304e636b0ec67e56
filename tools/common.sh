# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What ol, test, bench, format and .ci/run share: packages, the build and its lock. Sourced, never run.
# The caller has set `root` to the project's folder.

readonly packages_file=$root/tools/packages.txt

# The names in tools/packages.txt that belong to one of the groups given.
packages_of() {
  local group name _
  while read -r group name _; do
    case " $* " in *" $group "*) echo "$name" ;; esac
  done <"$packages_file"
}

# Those of the groups' packages that are not installed, on one line.
missing_packages() {
  local installed wanted
  mapfile -t wanted < <(packages_of "$@")
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null)
  local name missing=()
  for name in "${wanted[@]}"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $name"$'\n'* ]] || missing+=("$name")
  done
  echo "${missing[*]}"
}

# Installs what the groups need: as root, or in CI with a sudo that asks nothing. Anyone else is told
# the one line to run.
require_packages() {
  command -v dpkg-query >/dev/null || return 0  # no Debian: CMake says what it misses
  local missing as_root=()
  missing=$(missing_packages "$@")
  [[ -n $missing ]] || return 0
  if ((EUID != 0)); then
    if [[ -z ${CI:-} ]] || ! sudo -n true 2>/dev/null; then
      printf '%s: packages are missing; install them with\n  sudo apt-get install %s\n' \
        "${0##*/}" "$missing" >&2
      exit 2
    fi
    as_root=(sudo -n)
  fi
  echo "installing $missing" >&2
  install_packages
}

# The body of require_packages: $missing by $as_root, shown only when it fails.
install_packages() {
  local log
  log=$(mktemp)
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
  # shellcheck disable=SC2086  # a list of names
  if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends $missing; } \
    >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    echo "${0##*/}: apt-get could not install $missing" >&2
    exit 2
  fi
  rm -f "$log"
}

# Runs a command with its output in FILE; a terminal sees the last line of it, a failure all of it.
quietly() {
  local file=$1
  shift
  if [[ -t 2 ]]; then
    "$@" 2>&1 | tee -a "$file" | while IFS= read -r line; do
      printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
    done
    local status=${PIPESTATUS[0]}
    printf '\r\033[K' >&2
  else
    "$@" >>"$file" 2>&1
    local status=$?
  fi
  return "$status"
}

# Empties the build folder TREE when a package upgrade replaced a system header that it was built from.
# Such a header is older than what was built from it, so ninja sees no change, but clang refuses a
# precompiled header whose parts are not the ones it was made of.
forget_replaced_headers() {
  local tree=$1 stamp=$1/headers.stamp replaced=''
  [[ -e $tree/.ninja_log ]] || return 0
  if [[ -e $stamp && /var/lib/dpkg/status -nt $stamp ]]; then
    replaced=$(ninja -C "$tree" -t deps | sed -n 's/^ *\(\/usr\/.*\)/\1/p' | sort -u | tr '\n' '\0' |
      find -files0-from - -maxdepth 0 -cnewer "$stamp" -print -quit 2>/dev/null)
  fi
  [[ -z $replaced ]] || ninja -C "$tree" -t clean >/dev/null
  touch "$stamp"
}

# Configures PRESET when it never was (or when the tree has moved), then builds the targets given, or
# all. CMake options for a first configuration stand in the array `first_options`; `log` is set to the
# file that has the output.
build() {
  local preset=$1 tree=$root/build/$1
  log=$root/build/$1.log
  shift
  : >"$log"
  if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$tree/CMakeCache.txt"; then
    rm -rf "$tree"
  fi
  if [[ ! -e $tree/build.ninja ]]; then
    (cd "$root" && quietly "$log" cmake --preset "$preset" "${first_options[@]}") || return
  fi
  forget_replaced_headers "$tree"
  local targets=()
  (($# == 0)) || targets=(--target "$@")
  (cd "$root" && NINJA_STATUS='building %f of %t: ' \
    quietly "$log" cmake --build --preset "$preset" "${targets[@]}")
}

# Holds the lock of PRESET's build for the rest of the script: two builds never share a folder at once.
lock_build() {
  mkdir -p "$root/build"
  exec 9>"$root/build/$1.lock"
  flock 9
}

# Says why the build stopped, and stops.
build_failed() {
  echo "${0##*/}: the build failed; the end of build/${log##*/}:" >&2
  tail -n 40 "$log" >&2
  exit 4
}
