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
	say "installing with apt:" $missing
	$root apt-get update -qq || fail "apt-get update failed"
	# Word splitting is what makes the list.
	# shellcheck disable=SC2086
	$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
		>/dev/null || fail "apt-get install failed; the packages were:" $missing
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

# build_with DIRECTORY COMPILER [MESON OPTIONS...]: configure once, then compile all.
build_with() {
	configure_with "$@"
	compile "$1"
}
