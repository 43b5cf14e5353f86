#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Build packages of what is committed or staged here.
# Usage: tools/package.sh [--twice] DIRECTORY
#        tools/package.sh tarball DIRECTORY
#   Without a word the Debian packages, which are held against Debian's rules.
#   tarball: wavetape-VERSION-linux-x86_64.tar.xz, which runs where it is unpacked, the Python wheel of libwavetape, and
#     what both are made of as an SPDX document
#   --twice: build it in two directories, whose names differ in length, and compare the packages byte by byte
#   DIRECTORY: where the packages come to lie
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

kind=debian
twice=false
if [ "${1-}" = tarball ]; then
	kind=tarball
	shift
elif [ "${1-}" = --twice ]; then
	twice=true
	shift
fi
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
	echo "usage: tools/package.sh [--twice | tarball] DIRECTORY, which must be there" >&2
	exit 2
fi
result=$(cd "$1" && pwd)

# need PACKAGES COMMAND...
need() {
	packages=$1
	shift
	for command in "$@"; do
		command -v "$command" >/dev/null && continue
		echo "tools/package.sh: no $command: apt-get install $packages" >&2
		exit 1
	done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$(git -C "$top" write-tree)

# unpack DIRECTORY: the source comes to lie there.
unpack() {
	mkdir -p "$1"
	git -C "$top" archive "$tree" | tar -x -C "$1"
}

# build_in DIRECTORY: the packages come to lie there. A compiler cache would bring what it was told of another directory.
build_in() {
	unpack "$1/wavetape"
	(cd "$1/wavetape" && CCACHE_DISABLE=1 dpkg-buildpackage -us -uc -b >"$1/log" 2>&1) && return
	cat "$1/log" >&2
	echo "tools/package.sh: the package could not be built" >&2
	exit 1
}

make_debian() {
	need "dpkg-dev debhelper lintian git" dpkg-buildpackage dh lintian git
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
}

make_tarball() {
	need "meson ninja-build git xz-utils binutils" meson ninja git xz strip
	unpack "$work/source"
	flags="-ffile-prefix-map=$work/source=. -ffile-prefix-map=$work/build=."
	meson setup --prefix=/usr/local --libdir=lib --buildtype=release -Dtests=false -Dwerror=false -Dc_args="$flags" \
		-Dpkgconfig.relocatable=true 		-Dpython.purelibdir=/usr/local/lib/python "$work/build" "$work/source" >"$work/log" 2>&1 &&
		meson compile -C "$work/build" ${JOBS:+-j "$JOBS"} >>"$work/log" 2>&1 || {
		cat "$work/log" >&2
		echo "tools/package.sh: the tarball could not be built" >&2
		exit 1
	}
	version=$("$work/build/cli/wavetape" --version | cut -d ' ' -f 2)
	name=wavetape-$version-linux-x86_64
	meson install -C "$work/build" --no-rebuild --quiet --strip --destdir "$work/installed"
	mv "$work/installed/usr/local" "$work/$name"
	mkdir "$work/$name/share/doc/wavetape/licences"
	python3 "$top/tools/make-sbom.py" "$work/build" "$work/$name" "$result/wavetape-$version.spdx.json" \
		"$work/$name/share/doc/wavetape/licences"
	python3 "$top/tools/make-wheel.py" "$work/$name" "$version" "$result"
	tar -c -C "$work" --sort=name --mtime=@1577836800 --owner=0 --group=0 --numeric-owner "$name" | xz -9e -T1 >"$result/$name.tar.xz"
	ls -l "$result/$name.tar.xz" "$result/wavetape-$version"-*.whl
}

make_$kind
