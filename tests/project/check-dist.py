# SPDX-License-Identifier: MIT
"""`meson dist` packs the same source, byte by byte, whoever makes it and when, and all that is committed is in it.

check-dist.py MESON SOURCE BUILD

It takes ten seconds of a processor each time, so that only the long form does it.
"""
import os
import pathlib
import subprocess
import sys
import tarfile


def make(meson, build, umask):
    """The bytes of a tarball that somebody with this umask makes."""
    command = [meson, "dist", "-C", str(build), "--no-tests", "--allow-dirty", "--formats", "xztar"]
    done = subprocess.run(command, umask=umask, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ends with {done.returncode}: {done.stdout}{done.stderr}")
    [path] = (build / "meson-dist").glob("*.tar.xz")
    return path, path.read_bytes()


def main():
    meson, source, build = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    if os.environ.get("WAVETAPE_LONG") != "1":
        print("only in the long form")
        return 77
    committed = subprocess.run(["git", "-C", source, "ls-tree", "-r", "-z", "--name-only", "HEAD"], capture_output=True, text=True, check=False)
    if committed.returncode:
        print(f"{source} has no history of git")
        return 77
    path, first = make(meson, build, 0o022)
    _, second = make(meson, build, 0o077)
    problems = [] if first == second else [f"{path.name} differs from one time to the other"]
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    found = {member.name.split("/", 1)[1] for member in members if not member.isdir()}
    wanted = set(committed.stdout.split("\0")) - {""}
    problems += [f"{name} is in one of source and {path.name} only" for name in sorted(found ^ wanted)]
    times = {member.mtime for member in members}
    if len(times) != 1:
        problems.append(f"{path.name} has files of {len(times)} times")
    print("\n".join(problems) or f"{len(found)} files")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
