#!/bin/bash -eu
# SPDX-License-Identifier: MIT
# Build all fuzz targets with what OSS-Fuzz sets, and put them into $OUT with their seeds and what they load. The same here:
#
#   CC=clang-19 CFLAGS="-O1 -gline-tables-only -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all" \
#     LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=/tmp/out WORK=/tmp/work tools/oss-fuzz/build.sh
top=$(cd "$(dirname "$0")/../.." && pwd)
[ -f "$top/meson.build" ] || top=$SRC/wavetape # OSS-Fuzz copies this file to $SRC
build=$WORK/build
mkdir -p "$OUT" "$WORK"
words=$(CC=${CC:-clang} python3 -c 'import os, shlex; print(repr(shlex.split(os.environ["CFLAGS"])))')
meson setup "$build" "$top" -Dwerror=false -Db_lundef=false -Dfuzzing_engine="$LIB_FUZZING_ENGINE" \
	-Dc_args="$words" -Dc_link_args="$words"
targets=$(sed -n "s/^  '\([a-z-]*\)': {'dependencies'.*/\1/p" "$top/tests/fuzz/meson.build")
# shellcheck disable=SC2086
ninja -C "$build" tests/fuzz/corpus $(printf 'tests/fuzz/fuzz-%s ' $targets)
for name in $targets; do
	cp "$build/tests/fuzz/fuzz-$name" "$OUT/fuzz-$name"
	(cd "$build/tests/fuzz/corpus/$name" && python3 -m zipfile -c "$OUT/fuzz-${name}_seed_corpus.zip" ./*)
	# Targets with a mutator of their own would begin with inputs of full length.
	printf '[libfuzzer]\nlen_control = 100\n' >"$OUT/fuzz-$name.options"
done
cp "$build/replayer/librocm-dbgapi.so.0" "$build/tests/fuzz/corpus/traces/fault.wtape" "$OUT"
