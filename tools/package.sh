#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Build packages of what is committed or staged here.
# Usage: tools/package.sh [--twice] [tarball] DIRECTORY
#   Without a word the Debian packages, which are held against Debian's rules.
#   tarball: wavetape-VERSION-linux-x86_64.tar.xz, which runs where it is unpacked, the Python wheel of libwavetape, and
#     what both are made of as an SPDX document
#   --twice: build it in two directories, whose names differ in length, and compare the packages byte by byte
#   DIRECTORY: where the packages come to lie
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)

kind=debian
twice=false
if [ "${1-}" = --twice ]; then
	twice=true
	shift
fi
if [ "${1-}" = tarball ]; then
	kind=tarball
	shift
fi
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
	echo "usage: tools/package.sh [--twice] [tarball] DIRECTORY, which must be there" >&2
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

# compare FILE...: each must be the same as the one of its name that was built in another directory.
compare() {
	for file in "$@"; do
		cmp "$file" "$work/another/directory/${file##*/}" && continue
		echo "tools/package.sh: not reproducible: ${file##*/}: it differs from one built in another directory" >&2
		exit 1
	done
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
	need "build-essential debhelper lintian git" dpkg-buildpackage g++ make dh lintian git
	build_in "$work/one"
	if $twice; then
		build_in "$work/another/directory"
		compare "$work"/one/*.deb
	fi
	lintian --fail-on error,warning --allow-root "$work"/one/*.changes
	cp "$work"/one/*.deb "$work"/one/*.changes "$work"/one/*.buildinfo "$result"
	ls "$result"/*wavetape*_*.deb
}

# tarball_in DIRECTORY: the tarball, the wheel and what they are made of come to lie there. A compiler cache would bring what it was told of another directory.
tarball_in() {
	unpack "$1/source"
	flags="-ffile-prefix-map=$1/source=. -ffile-prefix-map=$1/build=."
	export CCACHE_DISABLE=1
	meson setup --prefix=/usr/local --libdir=lib --buildtype=release -Dtests=false -Dwerror=false -Dc_args="$flags" -Dpkgconfig.relocatable=true \
		-Dpython.purelibdir=/usr/local/lib/python "$1/build" "$1/source" >"$1/log" 2>&1 &&
		meson compile -C "$1/build" ${JOBS:+-j "$JOBS"} >>"$1/log" 2>&1 || {
		cat "$1/log" >&2
		echo "tools/package.sh: the tarball could not be built" >&2
		exit 1
	}
	version=$("$1/build/cli/wavetape" --version | cut -d ' ' -f 2)
	name=wavetape-$version-linux-x86_64
	meson install -C "$1/build" --no-rebuild --quiet --strip --destdir "$1/installed"
	mv "$1/installed/usr/local" "$1/$name"
	mkdir "$1/$name/share/doc/wavetape/licences"
	python3 "$top/tools/make-sbom.py" "$1/build" "$1/$name" "$1/wavetape-$version.spdx.json" "$1/$name/share/doc/wavetape/licences"
	python3 "$top/tools/make-wheel.py" "$1/$name" "$version" "$1"
	tar -c -C "$1" --sort=name --mtime=@1577836800 --owner=0 --group=0 --numeric-owner "$name" | xz -9e -T1 >"$1/$name.tar.xz"
}

make_tarball() {
	need "meson ninja-build git xz-utils binutils" meson ninja git xz strip
	# Who makes it has no say in what others may do with the files.
	umask 022
	tarball_in "$work/one"
	made=("$work/one/$name.tar.xz" "$work/one/wavetape-$version"-*.whl "$work/one/wavetape-$version.spdx.json")
	if $twice; then
		tarball_in "$work/another/directory"
		compare "${made[@]}"
	fi
	cp "${made[@]}" "$result"
	ls -l "$result/$name.tar.xz" "$result/wavetape-$version"-*.whl
}

make_$kind
