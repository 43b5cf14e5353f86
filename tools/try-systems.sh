#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Build wavetape on Debian 11, 12, 13 and testing with each compiler that these have, and try what was built.
# Usage: tools/try-systems.sh [--build DIRECTORY] [--roots DIRECTORY] [--packages DIRECTORY] [--jobs N] [--only-default | --only-installed] [SUITE...]
#   SUITE: bullseye, bookworm, trixie, testing; all of them if none is named
#   --build: a build of this source with its tests, whose kernels are taken where clang 19 is not (default: build/)
#   --roots: where the systems are made, once, and kept (default: /var/tmp/wavetape-systems)
#   --packages: where tools/package.sh has made the tarball and the Debian packages; without it they are made
#   --jobs: so many compilers at once (default: all processors)
#   --only-default: with the gcc of each system alone
#   --only-installed: no building there: the tarball and the Debian packages, which are made once, on the system that this runs on. Of the list of
#     packages nothing is installed then: a plain system has them
#
# In a root that debootstrap makes, with the packages of tools/packages-debian-12.txt that the system has but those of ROCm, which
# tests/today/run is for, and the browser: the gcc that the system calls so builds all, and ./demo and ./check --quick run; every other
# compiler builds what is installed, which then records a workload, explains and verifies it. The tarball is unpacked below a path with a blank, and
# the packages are installed; each verb runs, and doctor --try on the simulated GPU where the system has an HSA runtime. Where meson is older than 0.59, meson and tomli
# are those of Debian 12. What was committed or staged is built. The table goes to the standard output, each system's logs to its root. Each step ends
# within a limit, and takes with it what it has started: the row then says `fails: too long`.
# Exit status: 0 if all is right, 1 if something is not, 2 if it was not called rightly, 77 if this machine cannot make such roots.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)

say() {
	printf 'try-systems: %s\n' "$*" >&2
}

cannot() {
	say "$*"
	exit 77
}

made=$top/build
roots=/var/tmp/wavetape-systems
packages=
jobs=$(nproc)
only_default=false
only_installed=false
suites=
while [ $# -gt 0 ]; do
	case "$1" in
	--build) made=${2-} && shift ;;
	--roots) roots=${2-} && shift ;;
	--packages) packages=${2-} && shift ;;
	--jobs) jobs=${2-} && shift ;;
	--only-default) only_default=true ;;
	--only-installed) only_installed=true ;;
	bullseye | bookworm | trixie | testing) suites="$suites $1" ;;
	*)
		echo "usage: tools/try-systems.sh [--build DIRECTORY] [--roots DIRECTORY] [--packages DIRECTORY] [--jobs N] [--only-default | --only-installed] [SUITE...]" >&2
		exit 2
		;;
	esac
	shift || exit 2
done
suites=${suites:-bullseye bookworm trixie testing}
[ "$(id -u)" -eq 0 ] || cannot "only root can make a root"
for command in debootstrap unshare git; do
	command -v "$command" >/dev/null || cannot "there is no $command"
done
[ -f "$made/build.ninja" ] || cannot "there is no build in $made: name one by --build"
made=$(cd "$made" && pwd)
# This system's own apt says where Debian comes from, and how it is reached.
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
	awk '$1 == "Debian" && $2 !~ /security/ { print $2; exit }')
[ -n "$mirror" ] || cannot "apt knows no mirror of Debian"
tree=$(git -C "$top" write-tree)

# Minutes that a step may take: twice to ten times what it took on two cores that seven others used.
minutes_install=60 minutes_build=90 minutes_demo=20 minutes_check=180 minutes_trial=20 minutes_look=1

# inside MINUTES ROOT COMMAND...: run it there, with mounts and processes that nobody else sees and that end with it.
inside() {
	# shellcheck disable=SC2016
	timeout --kill-after=20 "$1m" unshare --mount --propagation private --pid --fork --kill-child bash -c '
		root=$1 made=$2
		shift 2
		# A root that is a mount has views of its own, which some tests make.
		mount --bind "$root" "$root"
		for name in sys dev; do mount --rbind /$name "$root/$name"; done
		mount -t proc proc "$root/proc"
		mkdir -p "$root/made" && mount --bind "$made" "$root/made"
		exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
			WAVETAPE_INSTALL=no DEBIAN_FRONTEND=noninteractive "$@"' sh "$2" "$made" "${@:3}" </dev/null
}

# said STATUS: what a row says of a step.
said() {
	case "$1" in
	0) echo yes ;;
	124 | 137) echo "fails: too long" ;;
	*) echo fails ;;
	esac
}

make_root() {
	[ -x "$root/usr/bin/apt-get" ] && return
	say "making $suite in $root"
	mkdir -p "$root"
	timeout "${minutes_install}m" debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 </dev/null || {
		rm -rf "$root"
		return 1
	}
	apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90systems"
	echo 'Acquire::Check-Valid-Until "false";' >>"$root/etc/apt/apt.conf.d/90systems"
}

install() {
	cp /etc/resolv.conf "$root/etc/"
	# Only what is asked for by name and system comes from another system than this, whose C library may be older than what that needs.
	echo "deb $mirror bookworm main" >"$root/etc/apt/sources.list.d/meson.list"
	printf 'Package: *\nPin: release n=bookworm\nPin-Priority: %s\n' "$([ "$suite" = bookworm ] && echo 500 || echo -1)" \
		>"$root/etc/apt/preferences.d/meson"
	others=true
	if $only_default; then others=false; fi
	if $only_installed; then
		others=false
		# What the trial itself needs, and what decodes instructions.
		printf '%s\n' python3 llvm >"$root/var/tmp/packages"
	else
		sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$top/tools/packages-debian-12.txt" |
			grep -v -x -E 'hipcc|rocminfo|librocprim-dev|librocrand-dev|chromium|chromium-driver' >"$root/var/tmp/packages"
	fi
	cat >"$root/var/tmp/install" <<-'END'
		apt-get update -qq || exit 1
		have=
		for package in $(cat /var/tmp/packages) git ca-certificates; do
			apt-cache policy "$package" | grep -q 'Candidate: [0-9]' && have="$have $package" || echo "$package is not there"
		done
		# What demangles is linked in, and each gcc looks for its own: here that of the system.
		gcc=$(apt-cache policy gcc | sed -n 's/.*Candidate: [0-9]*:\([0-9]*\).*/\1/p')
		$2 || have="$have libstdc++-$gcc-dev"
		for compiler in $($1 && apt-cache pkgnames | grep -x -E 'gcc-1[0-9]|clang-(1[4-9]|2[0-9])'); do
			apt-cache policy "$compiler" | grep -q 'Candidate: [0-9]' || continue
			have="$have $compiler"
			[ "${compiler#gcc-}" = "$compiler" ] || have="$have libstdc++-${compiler#gcc-}-dev"
		done
		apt-get install -y -qq --no-install-recommends $have || exit 1
		! command -v meson >/dev/null || dpkg --compare-versions "$(meson --version)" ge 0.59 ||
			apt-get install -y -qq --no-install-recommends meson/bookworm python3-tomli/bookworm || exit 1
		apt-get clean
	END
	inside $minutes_install "$root" bash /var/tmp/install "$others" "$only_installed" >"$root/var/tmp/install.log" 2>&1
}

# row WHAT BUILT DEMO CHECK
row() {
	printf '| %s | %s | %s | %s | %s | %s |\n' "$name" "$meson" "$1" "$2" "$3" "$4"
	case "$2$3$4" in *fails*) failed=1 ;; esac
}

try_default() {
	options=
	inside $minutes_look "$root" sh -c 'command -v clang-19' >/dev/null || options=-Dmade=/made
	inside $minutes_build "$root" sh -c "cd /source && CC=gcc meson setup build $options && ninja -j$jobs -C build all meson-test-prereq" \
		>"$root/var/tmp/build.log" 2>&1
	built=$(said $?)
	demo=- check=-
	if [ "$built" = yes ]; then
		inside $minutes_demo "$root" sh -c 'cd /source && ./demo' >"$root/var/tmp/demo.log" 2>&1
		demo=$(said $?)
		inside $minutes_check "$root" sh -c 'cd /source && ./check --quick' >"$root/var/tmp/check.log" 2>&1
		check="$(said $?), $(awk '/^Ok:/ { ok = $2 } /^Fail:/ { fail = $2 } /^Skipped:/ { skipped = $2 }
			END { printf "%d passed, %d failed, %d skipped", ok, fail, skipped }' "$root/var/tmp/check.log")"
	fi
	row "$(inside $minutes_look "$root" gcc --version | sed -n '1s/.* /gcc /p')" "$built" "$demo" "$check"
}

try_compiler() {
	log=$root/var/tmp/build-$1.log
	inside $minutes_build "$root" sh -c "cd /source && CC=$1 meson setup build-$1 -Dtests=false -Dwerror=false &&
		ninja -j$jobs -C build-$1" >"$log" 2>&1
	built="$(said $?), $(grep -c 'warning:' "$log") warnings"
	inside $minutes_demo "$root" sh -c "cd /tmp && rm -f $1.wtape && wavetape=/source/build-$1/cli/wavetape &&
		\$wavetape record -o $1.wtape --workload /made/tests/kernels/oob-store.json &&
		\$wavetape info $1.wtape && \$wavetape verify --fixpoint $1.wtape" >>"$log" 2>&1
	demo=$(said $?)
	rm -rf "$root/source/build-$1"
	row "$1" "$built" "$demo" -
}

# What an installed wavetape has to do: each verb that needs no client and no terminal. Usage: try-installed COMMAND
write_trial() {
	cat >"$root/var/tmp/try-installed" <<-'END'
		set -e
		wavetape=$1
		rm -rf /tmp/trial && mkdir /tmp/trial && cd /tmp/trial
		"$wavetape" --version --verbose
		"$wavetape" record -o t.wtape --workload /made/tests/kernels/oob-store.json
		for verb in info stops waves registers memory disassemble code-objects journal host explain backtrace locals check verify; do
			echo "$verb"
			"$wavetape" "$verb" t.wtape >/dev/null
		done
		"$wavetape" print t.wtape index >/dev/null
		"$wavetape" report t.wtape -o t.html
		"$wavetape" export --json-lines t.wtape >/dev/null
		"$wavetape" repack t.wtape -o r.wtape
		"$wavetape" recover t.wtape -o s.wtape
		"$wavetape" diff t.wtape r.wtape
		"$wavetape" triage t.wtape >/dev/null
		"$wavetape" simulate /made/tests/kernels/vecadd.json >/dev/null
		"$wavetape" device -- true
		if ldconfig -p | grep -q 'libhsa-runtime64.so.1 '; then
			"$wavetape" device -- "$wavetape" doctor --try --all -o d.tar.gz
		fi
	END
}

try_installed() {
	write_trial
	rm -rf "$root/opt/with a blank"
	mkdir -p "$root/opt/with a blank"
	tar -xJf "$artifacts"/wavetape-*-linux-x86_64.tar.xz -C "$root/opt/with a blank"
	command=$(cd "$root" && ls -d "opt/with a blank"/wavetape-*/bin/wavetape)
	inside $minutes_install "$root" sh -c 'apt-get install -y -qq --no-install-recommends libhsa-runtime64-1' >"$root/var/tmp/runtime.log" 2>&1
	inside $minutes_trial "$root" bash /var/tmp/try-installed "/$command" >"$root/var/tmp/tarball.log" 2>&1
	row "the tarball" - "$(said $?)" -
	cp "$artifacts"/*.deb "$root/var/tmp/"
	# The module wants Python 3.11.
	inside $((minutes_install + minutes_trial)) "$root" sh -c '
		new=$(python3 -c "import sys; print(sys.version_info >= (3, 11))")
		apt-get install -y -qq --no-install-recommends /var/tmp/wavetape_*.deb /var/tmp/libwavetape0_*.deb /var/tmp/libwavetape-dev_*.deb \
			$([ "$new" != True ] || ls /var/tmp/python3-wavetape_*.deb) && bash /var/tmp/try-installed wavetape &&
			{ [ "$new" != True ] || python3 -c "import wavetape; wavetape.open(\"/tmp/trial/t.wtape\")"; }' \
		>"$root/var/tmp/package.log" 2>&1
	row "the packages" - "$(said $?)" -
}

# All of it is read before it begins: the file may change while it runs.
{
	# Made once, on this system.
	artifacts=${packages:-$roots/artifacts}
	mkdir -p "$artifacts"
	if [ -z "$packages" ] && ! $only_default; then
		rm -f "${artifacts:?}"/*
		say "making the tarball and the packages"
		JOBS=$jobs timeout "${minutes_build}m" "$top/tools/package.sh" tarball "$artifacts" >&2 </dev/null &&
			timeout "${minutes_build}m" "$top/tools/package.sh" "$artifacts" >&2 </dev/null || exit 1
	fi

	failed=0
	printf '| system | meson | compiler | built | demo | quick check |\n|---|---|---|---|---|---|\n'
	for suite in $suites; do
		root=$roots/$suite
		make_root || cannot "$suite could not be made: $root.log"
		install || cannot "packages of $suite could not be installed: $root/var/tmp/install.log"
		rm -rf "$root/source"
		mkdir "$root/source"
		git -C "$top" archive "$tree" | tar -x -C "$root/source"
		name="Debian $(cat "$root/etc/debian_version")"
		meson=$($only_installed && echo - || inside $minutes_look "$root" meson --version)
		say "trying $name"
		$only_default || try_installed
		$only_installed && continue
		try_default
		$only_default && continue
		for path in "$root"/usr/bin/gcc-1[0-9] "$root"/usr/bin/clang-1[4-9] "$root"/usr/bin/clang-2[0-9]; do
			[ ! -e "$path" ] || try_compiler "${path##*/}"
		done
	done
	exit "$failed"
}
