#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Build the Debian packages of what is committed or staged here, and hold it against Debian's rules.
# Usage: tools/package.sh [--twice] DIRECTORY
#   --twice: build it in two directories, whose names differ in length, and compare the packages byte by byte
#   DIRECTORY: where the packages come to lie
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

twice=false
if [ "${1-}" = --twice ]; then
	twice=true
	shift
fi
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
	echo "usage: tools/package.sh [--twice] DIRECTORY, which must be there" >&2
	exit 2
fi
result=$(cd "$1" && pwd)
for command in dpkg-buildpackage dh lintian git; do
	command -v "$command" >/dev/null && continue
	echo "tools/package.sh: no $command: apt-get install dpkg-dev debhelper lintian git" >&2
	exit 1
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$(git -C "$top" write-tree)

# build_in DIRECTORY: the packages come to lie there. A compiler cache would bring what it was told of another directory.
build_in() {
	mkdir -p "$1/wavetape"
	git -C "$top" archive "$tree" | tar -x -C "$1/wavetape"
	(cd "$1/wavetape" && CCACHE_DISABLE=1 dpkg-buildpackage -us -uc -b >"$1/log" 2>&1) && return
	cat "$1/log" >&2
	echo "tools/package.sh: the package could not be built" >&2
	exit 1
}

build_in "$work/one"
if $twice; then
	build_in "$work/another/directory"
	for package in "$work"/one/*.deb; do
		cmp "$package" "$work/another/directory/${package##*/}" && continue
		echo "tools/package.sh: not reproducible: ${package##*/}: it differs from one built in another directory" >&2
		exit 1
	done
fi
lintian --fail-on error,warning --allow-root "$work"/one/*.changes
cp "$work"/one/*.deb "$work"/one/*.changes "$work"/one/*.buildinfo "$result"
ls "$result"/*wavetape*_*.deb
