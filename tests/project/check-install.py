# SPDX-License-Identifier: MIT
"""Install into an empty directory: what README and the manual page say is there, and nothing beside it.

check-install.py MESON SOURCE BUILD PREFIX BINDIR LIBDIR LIBEXECDIR INCLUDEDIR DATADIR MANDIR
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

SONAME = "librocm-dbgapi.so.0"
PROVIDERS = ("record", "replay", "simulated")


def verbs_of(command):
    text = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\S+) +\S", text, re.MULTILINE)


def expected(source, directories, verbs):
    """Every file that is to be there, by its path below the prefix; one that need not be ends with a `?`."""
    bindir, libdir, libexecdir, includedir, datadir, mandir = directories
    doc = f"{datadir}/doc/wavetape"
    return [
        f"{bindir}/wavetape",
        *(f"{libdir}/wavetape/{provider}/{SONAME}" for provider in PROVIDERS),
        *(f"{libdir}/wavetape/{provider}/librocm-dbgapi.so?" for provider in PROVIDERS),
        f"{libdir}/wavetape/libwavetape-device.so",
        f"{libdir}/wavetape/libwavetape-record.so",
        f"{libdir}/wavetape/libwavetape-agent.so",
        f"{libexecdir}/wavetape/wavetape-host?",
        f"{includedir}/wavetape/amd-dbgapi/amd-dbgapi.h",
        f"{datadir}/wavetape/wavetape-gdb.py",
        f"{datadir}/wavetape/wavetape_gdb/api.py",
        *(f"{datadir}/wavetape/wavetape_gdb/{path.name}" for path in sorted((source / "cli/gdb/wavetape_gdb").glob("*.py"))),
        f"{datadir}/wavetape/trace.proto",
        *(f"{doc}/{name}" for name in ("README.md", "CHANGELOG.md", "LICENSE", "FORMAT.md")),
        *(f"{doc}/{path.name}" for path in sorted((source / "docs").glob("*.md"))),
        f"{mandir}/man1/wavetape.1",
        *(f"{mandir}/man1/wavetape-{verb}.1" for verb in verbs),
        f"{datadir}/bash-completion/completions/wavetape",
        f"{datadir}/zsh/site-functions/_wavetape",
        f"{datadir}/fish/vendor_completions.d/wavetape.fish",
    ]


def check_files(found, wanted):
    names = {name.rstrip("?") for name in wanted}
    yield from (f"{name} is not installed" for name in wanted if not name.endswith("?") and name not in found)
    yield from (f"{name} is installed, and nothing says so" for name in sorted(found) if name not in names)


def check_modes(root, found):
    for name in sorted(found):
        mode = (root / name).stat().st_mode & 0o777
        if mode & 0o444 != 0o444 or mode & 0o022:
            yield f"{name} has mode {mode:o}"


def check_manual(command, manual):
    """The manual page names every verb that `wavetape --help` lists, and no other."""
    verbs = set(verbs_of(command))
    items = re.findall(r"^\.It Cm (.*)$", manual, re.MULTILINE)
    named = {word for item in items for word in re.split(r"[ ,]+", item)}
    yield from (f"the manual page does not explain {verb}" for verb in sorted(verbs - named))
    yield from (f"the manual page explains {verb}, which is no verb" for verb in sorted(named - verbs))
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "ENVIRONMENT", "FILES", "EXIT STATUS"):
        if f"\n.Sh {section}\n" not in manual:
            yield f"the manual page has no section {section}"


def check_package(source, build):
    """The Debian package has the version of the command."""
    version = subprocess.run([f"{build}/cli/wavetape", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    newest = re.match(r"wavetape \(([^)]*)\)", (pathlib.Path(source) / "debian/changelog").read_text(encoding="utf-8"))
    if not newest or newest[1] != version:
        yield f"debian/changelog begins with another version than {version}"


def main(arguments):
    meson, source, build, prefix, *directories = arguments
    with tempfile.TemporaryDirectory() as temporary:
        environment = {**os.environ, "DESTDIR": temporary}
        subprocess.run([meson, "install", "-C", build, "--no-rebuild", "--quiet"], env=environment, check=True)
        root = pathlib.Path(temporary) / prefix.lstrip("/")
        found = {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}
        everything = [path for path in pathlib.Path(temporary).rglob("*") if not path.is_dir()]
        problems = [f"{path} is not below the prefix" for path in everything if root not in path.parents]
        problems += check_files(found, expected(pathlib.Path(source), directories, verbs_of(f"{build}/cli/wavetape")))
        problems += check_modes(root, found)
        problems += check_package(source, build)
        command, manual = root / directories[0] / "wavetape", root / directories[-1] / "man1/wavetape.1"
        if command.exists() and manual.exists():
            problems += check_manual(command, manual.read_text(encoding="utf-8"))
    print("\n".join(problems) or f"{len(found)} files, all in their places")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
