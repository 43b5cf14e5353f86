# SPDX-License-Identifier: MIT
"""What packages and containers are made of is said once: the version, its day, the packages to build with, and the commands.

check-packaging.py SOURCE VERSION
"""

import datetime
import email.utils
import pathlib
import re
import sys
import textwrap
import types

# Tools that build a package out of any tree; apt takes them for granted.
ESSENTIAL = {"gcc", "libc6-dev", "dpkg-dev"}
# What stands for a package.
NAMES = {"debhelper-compat": "debhelper", "dh-sequence-python3": "dh-python", "python3:any": "python3"}


def listed(source):
    """The packages of the one list."""
    lines = (source / "tools/packages-debian-12.txt").read_text("utf-8").splitlines()
    return {line.split("#")[0].strip() for line in lines} - {""}


def control(source):
    """What the Debian package is built with."""
    text = (source / "debian/control").read_text("utf-8")
    words = re.search(r"^Build-Depends:\n((?: .*\n)+)", text, re.MULTILINE)[1]
    names = [re.sub(r"[ (,].*", "", line.strip()) for line in words.splitlines()]
    return {NAMES.get(name, name) for name in names}


def check_versions(source, version):
    """Meson's project() has the version; who else must say it says the same."""
    changelog = (source / "debian/changelog").read_text("utf-8")
    changes = (source / "CHANGELOG.md").read_text("utf-8")
    said = {
        "debian/changelog": re.match(r"wavetape \(([^)]+)\) ", changelog),
        "CHANGELOG.md, its first heading": re.search(r"^## (\d[^,\s]*)", changes, re.MULTILINE),
        "README.md, the package's name": re.search(r"wavetape_(\S+?)_amd64\.deb", (source / "README.md").read_text("utf-8")),
        "editors/vscode/package.json":
            re.search(r'"version": "([^"]*)"', (source / "editors/vscode/package.json").read_text("utf-8")),
        "trace-format/trace.proto, the example of a recorder":
            re.search(r'"wavetape (\d[^"]*)"', (source / "trace-format/trace.proto").read_text("utf-8")),
    }
    for place, match in said.items():
        if not match or match[1] != version:
            yield f"{place}: says {match and match[1]}, and meson.build {version}"
    for path in sorted(source.glob("**/meson.build")):
        if not re.match(r"build(-|$)", path.relative_to(source).parts[0]) and path != source / "meson.build" and f"'{version}'" in path.read_text("utf-8"):
            yield f"{path.relative_to(source)}: repeats the version: meson.project_version() has it"


def check_dates(source):
    """The newest release has one day: packages and source carry it as the time of their files."""
    heading = re.search(r"^## \d.*, (\S+)$", (source / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    signed = re.search(r"^ -- .*>  (.*)$", (source / "debian/changelog").read_text("utf-8"), re.MULTILINE)
    try:
        said = datetime.date.fromisoformat(heading[1])
    except (TypeError, ValueError):
        yield "CHANGELOG.md, its first heading: has no date"
        return
    packaged = email.utils.parsedate_to_datetime(signed[1]).date()
    if said != packaged:
        yield f"CHANGELOG.md: is of {said}, and debian/changelog of {packaged}"


def check_packages(source):
    """All that the package is built with is in the one list."""
    for name in sorted(control(source) - listed(source) - ESSENTIAL):
        yield f"debian/control: builds with {name}, which tools/packages-debian-12.txt does not have"


def recipe(source):
    """What the recipe for Spack in docs/install.md says, by its own names: [(name, words, keywords)]."""
    text = (source / "docs/install.md").read_text("utf-8")
    code = textwrap.dedent(re.search(r"(?m)^((?:    .*\n|\n)*    class Wavetape\(.*\n(?:    .*\n|\n)*)", text)[1])
    said = []
    package = types.ModuleType("spack.package")
    package.__all__ = ["version", "depends_on"]
    for name in package.__all__:
        setattr(package, name, lambda *words, _name=name, **keywords: said.append((_name, words, keywords)))
    meson = types.ModuleType("spack_repo.builtin.build_systems.meson")
    meson.MesonPackage = object
    folders = ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")
    modules = {**{name: types.ModuleType(name) for name in folders}, package.__name__: package, meson.__name__: meson}
    names = {}
    sys.modules.update(modules)
    try:
        exec(compile(code, "docs/install.md", "exec"), names)  # pylint: disable=exec-used
    finally:
        for name in modules:
            del sys.modules[name]
    said += [("option", (word,), {}) for word in names["Wavetape"]().meson_args()]
    return said


def check_recipe(source, version):
    """Spack's recipe is Python, of this version, has what the command is linked with, and names options that there are."""
    said = recipe(source)
    versions = [words[0] for name, words, _ in said if name == "version"]
    if versions != [version]:
        yield f"docs/install.md: the recipe has the versions {versions}, and meson.build {version}"
    needed = {re.sub("@.*", "", words[0]) for name, words, _ in said if name == "depends_on"}
    # By whichever of Debian's packages it is: the names of both have these in common.
    for package, part in {"elfutils": "libdw-dev", "zstd": "libzstd-dev", "zlib-api": "zlib1g-dev", "libmd": "libmd-dev", "jansson": "libjansson-dev",
                          "ncurses": "libncurses-dev", "protobuf-c": "libprotobuf-c-dev", "xxhash": "libxxhash-dev", "uthash": "uthash-dev"}.items():
        if (package in needed) != (part in control(source)):
            yield f"docs/install.md: the recipe and debian/control differ about {package}"
    options = set(re.findall(r"option\(\s*'(\w+)'", (source / "meson_options.txt").read_text("utf-8"))) | {"werror"}
    for name, words, _ in said:
        if name == "option" and re.fullmatch(r"-D(\w+)=\w+", words[0])[1] not in options:
            yield f"docs/install.md: the recipe has {words[0]}, which is no option"


def check_container(source):
    """The container is made by the package's own command, with debian/control's packages, and installs nothing of its own."""
    text = re.sub(r"\\\n\s*", "", (source / "Containerfile").read_text("utf-8"))
    commands = [part.strip() for line in re.findall(r"^RUN (.*)$", text, re.MULTILINE) for part in line.split("&&")]
    build = re.search(r"dpkg-buildpackage( -\S+)+", (source / "tools/package.sh").read_text("utf-8"))[0]
    readme = (source / "README.md").read_text("utf-8")
    expected = [
        "apt-get update",
        "apt-get build-dep -y --no-install-recommends /source/wavetape",
        build,
        "apt-get update",
        "apt-get install -y --no-install-recommends /tmp/wavetape_*.deb libllvm19",
        "rm -rf /tmp/wavetape_*.deb /var/lib/apt/lists/*",
    ]
    if commands != expected:
        yield f"Containerfile: runs {commands}, not {expected}"
    if not re.search(r"apt-get install \./build/wavetape_\S+\.deb", readme):
        yield "README.md: installs the package in another way than Containerfile"
    if re.findall(r"^FROM (\S+)", text, re.MULTILINE) != ["debian:12", "debian:12"]:
        yield "Containerfile: is not of two stages of debian:12"
    ignored = set((source / ".dockerignore").read_text("utf-8").split())
    if not {".git", "build", "build-*"} <= ignored:
        yield ".dockerignore: builds go into the container"


def main():
    source, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    problems = [*check_versions(source, version), *check_dates(source), *check_packages(source), *check_container(source), *check_recipe(source, version)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
