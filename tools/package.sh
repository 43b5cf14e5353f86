#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Build the Debian packages of what is committed or staged here, and hold it against Debian's rules.
# Usage: tools/package.sh DIRECTORY
#   DIRECTORY: where the packages come to lie
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
	echo "usage: tools/package.sh DIRECTORY, which must be there" >&2
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
mkdir "$work/wavetape"
git -C "$top" archive "$(git -C "$top" write-tree)" | tar -x -C "$work/wavetape"
if ! (cd "$work/wavetape" && dpkg-buildpackage -us -uc -b >"$work/log" 2>&1); then
	cat "$work/log" >&2
	echo "tools/package.sh: the package could not be built" >&2
	exit 1
fi
lintian --fail-on error,warning --allow-root "$work"/*.changes
cp "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$result"
ls "$result"/*wavetape*_*.deb
