# SPDX-License-Identifier: MIT
"""Files that compilers make while tests run, kept in the build directory as what ninja makes: made again when what they are made of changes."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import support

UNUSED = 14 * 24 * 3600  # seconds after which a file that nobody asked for goes


def digest_files(digest, paths):
    """Names and contents of files, and of all files in directories."""
    for path in paths:
        for file in sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]:
            data = file.read_bytes()
            digest.update(f"{file.relative_to(path.parent)} {len(data)} ".encode() + data)


def digest_program(digest, name):
    """Which program it is that a name calls: its file."""
    path = pathlib.Path(shutil.which(name) or name).resolve()
    state = path.stat()
    digest.update(f"{path} {state.st_size} {state.st_mtime_ns} ".encode())


def forget(folder):
    """Remove what has not been asked for for long."""
    for path in folder.iterdir():
        try:
            if time.time() - path.stat().st_mtime > UNUSED:
                path.unlink()
        except FileNotFoundError:
            pass  # another test was faster


def take(output, commands, needs, make=None):
    """
    Bring a file to `output` that `commands` make there, lists of words of which the first names a program: by running them, or `make()`,
    unless the same was done before. `needs` are the files, and directories of files, that they read; a word may name
    a directory that is another each time, if it is that of the output.
    """
    folder, digest = support.TREE.build / "tests/made", hashlib.sha256()
    digest.update(os.getcwd().encode())
    for command in commands:
        digest_program(digest, command[0])
        digest.update("\0".join(str(word).replace(str(output.parent), ".") for word in command).encode() + b"\n")
    digest_files(digest, needs)
    kept = folder / digest.hexdigest()
    try:
        os.utime(kept)
        shutil.copy(kept, output)
        return
    except FileNotFoundError:
        pass
    if make:
        make()
    else:
        for command in commands:
            subprocess.run(command, check=True)
    folder.mkdir(exist_ok=True)
    forget(folder)
    # Two tests may make the same at once.
    number, name = tempfile.mkstemp(dir=folder)
    os.close(number)
    shutil.copy(output, name)
    os.replace(name, kept)
