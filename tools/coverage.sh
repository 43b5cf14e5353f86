#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How many lines and branches of a folder its unit tests run, by clang's own counters.
# Usage: tools/coverage.sh DIRECTORY FOLDER...
#   DIRECTORY: a build with counters comes to lie there, and is used again; the GPU's code objects are those of build/
#   FOLDER: as trace-format, whose tests are those of tests/unit/FOLDER
# Prints rows of a table. A line that runs is not a line that a test holds: tests/mutation/mutate.py says that.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -lt 2 ]; then
	echo "usage: tools/coverage.sh DIRECTORY FOLDER..." >&2
	exit 2
fi
mkdir -p "$1"
build=$(cd "$1" && pwd)
shift
suffix=${CLANG_SUFFIX:--19}
flags="-fprofile-instr-generate -fcoverage-mapping"
[ -f "$build/build.ninja" ] ||
	CC="${CC:-clang$suffix}" meson setup "$build" "$top" -Dwerror=false -Db_lundef=false -Dc_args="$flags" -Dc_link_args="$flags" \
		-Dmade="${MADE:-$top/build}" >"$build/setup.log" || {
		cat "$build/setup.log" >&2
		exit 1
	}
echo "| folder | lines | of them run | branches | of them taken |"
echo "|---|---|---|---|---|"
for folder in "$@"; do
	# A test's program, and what it loads.
	python3 - "$build" "$folder" <<'END' >"$build/coverage.sh"
import json, pathlib, shlex, subprocess, sys
build, folder = sys.argv[1:]
def introspect(what):
    return json.loads(subprocess.run(["meson", "introspect", what, build], check=True, capture_output=True).stdout)
made = {target["id"]: target["filename"] for target in introspect("--targets")}
tests = [test for test in introspect("--tests") if test["cmd"][0].startswith(f"{build}/tests/unit/{folder}/")]
programs = sorted({test["cmd"][0] for test in tests})
needed = {name for test in tests for target in test["depends"] for name in made.get(target, ())}.union(programs)
relative = sorted(str(pathlib.Path(name).relative_to(build)) for name in needed if name.startswith(build))
for name, words in (("programs", programs), ("targets", relative), ("names", sorted(test["name"] for test in tests))):
    print(f"{name}=({shlex.join(words)})")
END
	# shellcheck disable=SC1091,SC2154
	. "$build/coverage.sh"
	[ "${#programs[@]}" -gt 0 ] || {
		echo "tools/coverage.sh: no unit test of $folder" >&2
		exit 1
	}
	# What runs while it is built has counters, too.
	LLVM_PROFILE_FILE=/dev/null ninja -C "$build" "${targets[@]}" >/dev/null
	rm -rf "$build/counters-$folder"
	LLVM_PROFILE_FILE=$build/counters-$folder/%m.profraw meson test -C "$build" --no-rebuild --timeout-multiplier 8 "${names[@]}" >"$build/coverage.log" ||
		echo "tools/coverage.sh: a test of $folder failed: $build/coverage.log" >&2
	"llvm-profdata$suffix" merge -o "$build/$folder.profdata" "$build/counters-$folder"/*.profraw
	"llvm-cov$suffix" export --summary-only --instr-profile "$build/$folder.profdata" "${programs[@]:0:1}" "${programs[@]/#/--object=}" --sources "$top/$folder" |
		python3 -c '
import json, sys
totals = json.load(sys.stdin)["data"][0]["totals"]
cells = [f"`{sys.argv[1]}`"]
for kind in ("lines", "branches"):
    cells += [format(totals[kind]["count"], ","), format(totals[kind]["percent"], ".1f") + " %"]
print("| " + " | ".join(cells) + " |")' "$folder"
done
