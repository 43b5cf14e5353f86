#!/bin/sh
# SPDX-License-Identifier: MIT
# Meson runs this before it packs the source for `meson dist`: all files get the time of the commit, and rights that do not
# depend on who makes it, so that the same commit makes the same wavetape-VERSION.tar.xz, byte by byte.
set -eu
cd "$MESON_DIST_ROOT"
# The tree that is packed has no .git of its own.
epoch=$(git -C "$MESON_SOURCE_ROOT" log -1 --format=%ct)
chmod -R u=rwX,go=rX .
find . -exec touch --no-dereference --date="@$epoch" {} +
