# SPDX-License-Identifier: MIT
# Sourced by ./demo and ./check: says what it does, and installs the Debian packages that are missing.

say() {
	printf '%s: %s\n' "$(basename "$0")" "$*"
}

fail() {
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
	exit 1
}

# Packages of the list that are not installed.
missing_packages() {
	sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$top/tools/packages-debian-12.txt" |
		while read -r package; do
			dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
				grep -q 'install ok installed' || printf '%s\n' "$package"
		done
}

# available_packages PACKAGE...: those of them that apt can install here.
available_packages() {
	LC_ALL=C apt-cache policy "$@" | awk '/^[^ ]/ { name = substr($1, 1, length($1) - 1) } /^  Candidate: [0-9]/ { print name }'
}

# Installs packages of the list that are missing, as far as this system has them: another than Debian 12 need not have all.
# With WAVETAPE_INSTALL=no nothing is installed: who calls has done it.
install_packages() {
	[ "${WAVETAPE_INSTALL-}" != no ] || return 0
	command -v dpkg-query >/dev/null || {
		say "this is no Debian: install what tools/packages-debian-12.txt names by your own means"
		return
	}
	missing=$(missing_packages)
	[ -n "$missing" ] || return 0
	root=
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || fail "packages are missing and there is neither root nor sudo:" $missing
		root=sudo
	fi
	say "looking for missing packages with apt:" $missing
	$root apt-get update -qq || fail "apt-get update failed"
	# Word splitting is what makes the lists.
	# shellcheck disable=SC2086
	available=$(available_packages $missing)
	absent=$(printf '%s\n' "$missing" | grep -v -x -F -e "$available" || true)
	if printf '%s\n' "$absent" | grep -q -x -e clang-19 -e lld-19 && [ ! -f "$top/build/build.ninja" ] &&
		! { command -v clang-19 && command -v ld.lld-19; } >/dev/null; then
		fail "this system has no clang-19 or lld-19, by which the kernels of demo and tests are compiled. \`meson setup build -Dtests=false' \
builds wavetape without these; where a build of this source is that has them, \`meson setup build -Dmade=DIRECTORY' takes them from there"
	fi
	# shellcheck disable=SC2086
	[ -z "$absent" ] || say "this system has none of these; what needs them is left out or fails:" $absent
	[ -n "$available" ] || return 0
	# shellcheck disable=SC2086
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $available \
		>/dev/null || fail "apt-get install failed; the packages were:" $available
}

# configure_with DIRECTORY COMPILER [MESON OPTIONS...]: once.
configure_with() {
	directory=$1
	compiler=$2
	shift 2
	if [ ! -f "$directory/build.ninja" ]; then
		say "configuring $(basename "$directory") with $compiler"
		CC=$compiler meson setup "$directory" "$top" "$@" >"$directory.log" 2>&1 || {
			cat "$directory.log" >&2
			fail "meson setup failed"
		}
	fi
	rm -f "$directory.log"
}

# compile DIRECTORY [FILES...]: all, or the files alone.
compile() {
	directory=$1
	shift
	say "compiling $(basename "$directory")"
	# What tests alone need is not in all of them since meson 1.7.
	[ $# -gt 0 ] || set -- all meson-test-prereq
	if ! ninja -C "$directory" "$@" >"$directory/compile.log" 2>&1; then
		cat "$directory/compile.log" >&2
		fail "compilation failed in $directory"
	fi
}

# installed_files DIRECTORY: all that a build makes to be installed, by its names for ninja.
installed_files() {
	meson introspect --targets "$1" | python3 -c '
import json, os, sys
for target in json.load(sys.stdin):
	if target["installed"]:
		print(*(os.path.relpath(name, sys.argv[1]) for name in target["filename"]))' "$1"
}

# build_with DIRECTORY COMPILER [MESON OPTIONS...]: configure once, then compile all.
build_with() {
	configure_with "$@"
	compile "$1"
}
