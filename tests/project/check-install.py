# SPDX-License-Identifier: MIT
"""Install into an empty directory: what README and the manual page say is there, and nothing beside it. Uninstalled, nothing is left.

check-install.py MESON SOURCE BUILD PREFIX BINDIR LIBDIR LIBEXECDIR INCLUDEDIR DATADIR MANDIR PYTHONDIR COMPILER

With a COMPILER, a program in C, and the same one in C++ where there is a compiler for it, is compiled against what pkg-config says of the
installed library, and run; and the installed Python module is used.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SONAME = "librocm-dbgapi.so.0"
RELEASED = 77  # the newest level of a released ROCm
TRIED = ("gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1012", "gfx1030", "gfx1031", "gfx1032", "gfx1034", "gfx1035",
         "gfx1036", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153", "gfx1200", "gfx1201")
PROVIDERS = ("gate", "record", "replay", "simulated")


def verbs_of(command):
    text = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\S+) +\S", text, re.MULTILINE)


def expected(source, directories, python, verbs):
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
        f"{libexecdir}/wavetape/wavetape-try",
        f"{libdir}/libwavetape.so",
        f"{libdir}/libwavetape.so.0",
        f"{libdir}/libwavetape.so.0.1.0",
        f"{libdir}/pkgconfig/wavetape.pc",
        f"{libdir}/wavetape/pkgconfig/amd-dbgapi.pc",
        f"{includedir}/wavetape/amd-dbgapi/amd-dbgapi.h",
        f"{includedir}/wavetape/wavetape.h",
        f"{includedir}/wavetape/facts.h",
        f"{python}/wavetape/_native.py",
        f"{python}/wavetape/_facts.py",
        *(f"{python}/wavetape/{path.name}" for path in sorted((source / "libwavetape/python/wavetape").iterdir())
          if path.name != "meson.build" and path.is_file()),
        f"{datadir}/wavetape/wavetape-gdb.py",
        f"{datadir}/wavetape/wavetape_gdb/api.py",
        *(f"{datadir}/wavetape/wavetape_gdb/{path.name}" for path in sorted((source / "cli/gdb/wavetape_gdb").glob("*.py"))),
        *(f"{datadir}/wavetape/try/{gpu}.co" for gpu in TRIED),
        f"{datadir}/wavetape/trace.proto",
        f"{datadir}/wavetape/wtape.ksy",
        *(f"{doc}/{name}" for name in ("README.md", "SECURITY.md", "CHANGELOG.md", "LICENSE", "FORMAT.md")),
        *(f"{doc}/{path.name}" for path in sorted((source / "docs").glob("*.md"))),
        f"{doc}/examples/crash.wtape",
        f"{doc}/examples/crash-site.c",
        f"{doc}/examples/whole-stops.py",
        f"{mandir}/man1/wavetape.1",
        *(f"{mandir}/man1/wavetape-{verb}.1" for verb in verbs),
        f"{datadir}/bash-completion/completions/wavetape",
        f"{datadir}/zsh/site-functions/_wavetape",
        f"{datadir}/fish/vendor_completions.d/wavetape.fish",
        f"{datadir}/modulefiles/wavetape",
    ]


def is_cache(path):
    """Python's own form of its sources, which meson makes since 1.2 and leaves where it uninstalls."""
    return "__pycache__" in pathlib.PurePath(path).parts


def check_files(found, wanted):
    names = {name.rstrip("?") for name in wanted}
    yield from (f"{name} is not installed" for name in wanted if not name.endswith("?") and name not in found)
    yield from (f"{name} is installed, and nothing says so" for name in sorted(found) if name not in names and not is_cache(name))


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


def check_example(root, bindir, datadir):
    """The recorded crash that is installed tells all: cause, and source line."""
    command = [root / bindir / "wavetape", "info", root / datadir / "doc/wavetape/examples/crash.wtape"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    for pattern in (r"^cause        past the end: lane 61 stores to out\[1213\]", r"^            >     16          out\[index\] = 3 \* i;$"):
        if done.returncode or not re.search(pattern, done.stdout, re.MULTILINE):
            yield f"the example is not explained: {done.stdout}{done.stderr}"


def check_moved(source, build, root, bindir, temporary):
    """An installation runs where it is moved to, under any name."""
    place = pathlib.Path(temporary) / "another place: of it"
    shutil.copytree(root, place, symlinks=True)
    command, trace = place / bindir / "wavetape", source / "tests/golden/format-1.4.wtape"
    workload = build / "tests/kernels/oob-store.json"
    for code, words, said in ((0, ["record", "-o", f"{temporary}/moved.wtape", "--workload", workload], "1 wave stopped for a fault"),
                              (1, ["record", "-o", f"{temporary}/true.wtape", "--", "true"], "nothing was recorded"),
                              (1, ["replay", trace, "--", "true"], "made no call of the replaying library"),
                              (0, ["verify", trace], ""),
                              (0, ["device", "--", "true"], "")):
        done = subprocess.run([command, *words], capture_output=True, text=True, check=False)
        if done.returncode != code or said not in done.stdout + done.stderr:
            yield f"moved, {words[0]} ends with {done.returncode}: {done.stdout}{done.stderr}"


def check_package(source, build):
    """The Debian package has the version of the command."""
    version = subprocess.run([f"{build}/cli/wavetape", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    newest = re.match(r"wavetape \(([^)]*)\)", (pathlib.Path(source) / "debian/changelog").read_text(encoding="utf-8"))
    if not newest or newest[1] != version:
        yield f"debian/changelog begins with another version than {version}"


def run_program(compiler, flags, source, text, trace, temporary, environment):
    """Compile, run, and expect what the program prints of the trace."""
    program = f"{temporary}/program"
    for command in ([*compiler, "-Wall", "-Wextra", "-Wconversion", "-Werror", source, "-o", program, *flags], [program, trace]):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{' '.join(command)} ends with {done.returncode}: {done.stderr}"
            return
    if done.stdout != text:
        yield f"{compiler[0]}: the program over the installed library prints {done.stdout!r}"


def check_library(source, root, temporary, libdir, compiler):
    """The installed library serves a program that finds it by pkg-config."""
    environment = {**os.environ, "PKG_CONFIG_PATH": f"{root}/{libdir}/pkgconfig", "LD_LIBRARY_PATH": f"{root}/{libdir}"}
    command = ["pkg-config", f"--define-variable=prefix={root}", "--cflags", "--libs", "wavetape"]
    flags = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
    example, trace = source / "docs/examples/crash-site.c", source / "tests/golden/format-1.3.wtape"
    text = "wave 3 of oob_store: tests/kernels/oob-store.c:16\n"
    yield from run_program([compiler, "-std=c11"], flags, str(example), text, str(trace), temporary, environment)
    if shutil.which("g++"):
        same = pathlib.Path(temporary) / "example.cc"
        same.write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
        yield from run_program(["g++", "-std=c++17"], flags, str(same), text, str(trace), temporary, environment)


def check_client(source, build, root, temporary, libdir, compiler):
    """A client that is compiled with what is installed is of a level that AMD has released, and runs over all our libraries."""
    libraries, program = f"{root}/{libdir}/wavetape", f"{temporary}/program-client"
    environment = {**os.environ, "PKG_CONFIG_PATH": f"{libraries}/pkgconfig", "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1"}

    def package(*what):
        command = ["pkg-config", f"--define-variable=prefix={root}", *what, "amd-dbgapi"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()
    [version] = package("--modversion")
    client = source / "tests/levels/level-client.c"
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", client, "-o", program, *package("--cflags", "--libs")], check=True)
    needs = subprocess.run(["readelf", "-V", "-W", program], capture_output=True, text=True, check=True).stdout
    levels = {int(level) for level in re.findall(r"AMD_DBGAPI_0\.(\d+)", needs)}
    if f"0.{max(levels)}.0" != version or max(levels) > RELEASED:
        yield f"a client wants symbols of level 0.{max(levels)}, and amd-dbgapi.pc has version {version}"
    outputs = {}
    for provider in ("simulated", "record", "replay"):
        done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=100, env={
            **os.environ, "LD_LIBRARY_PATH": f"{libraries}/{provider}", "WAVETAPE_TRACE": f"{program}.wtape",
            "WAVETAPE_DBGAPI": f"{libraries}/simulated/{SONAME}", "WAVETAPE_WORKLOAD": f"{build}/tests/kernels/oob-store.json"})
        outputs[provider] = done.stdout
        if done.returncode or done.stderr or done.stdout != outputs["simulated"] or "finalize: The call succeeded\n" not in done.stdout:
            yield f"a client over the installed {provider} library ends with {done.returncode}: {done.stdout}{done.stderr}"


def check_module(source, root, libdir, python):
    """The installed Python module finds the installed library."""
    environment = {**os.environ, "PYTHONPATH": f"{root}/{python}", "LD_LIBRARY_PATH": f"{root}/{libdir}", "PYTHONDONTWRITEBYTECODE": "1"}
    program = f"import wavetape; print(wavetape.open('{source}/tests/golden/format-1.3.wtape').stop().wave.place)"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    if done.stdout != "oob_store+0x60 at tests/kernels/oob-store.c:16:13\n":
        yield f"the installed Python module says {done.stdout!r} {done.stderr}"


def check_materials(source, build, root, temporary):
    """The document of what was linked in has each installed file, and packages of the one list only, with their licences."""
    document, licences = pathlib.Path(temporary) / "program-spdx.json", pathlib.Path(temporary) / "program-licences"
    licences.mkdir()
    command = [sys.executable, source / "tools/make-sbom.py", build, root, document, licences]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"make-sbom.py ends with {done.returncode}: {done.stdout}{done.stderr}"
        return
    text = document.read_text("utf-8")
    written = json.loads(text)
    sums = {entry["fileName"][2:]: entry["checksums"][1]["checksumValue"] for entry in written["files"]}
    real = {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in root.rglob("*") if path.is_file() and not path.is_symlink()}
    yield from (f"the document of what is linked in: {name}: another file, or none" for name in sorted(sums.keys() ^ real.keys()))
    yield from (f"the document of what is linked in: {name}: another sum" for name in sums if sums[name] != real.get(name))
    identifiers = {entry["SPDXID"] for kind in ("packages", "files") for entry in written[kind]} | {"SPDXRef-DOCUMENT"}
    for relation in written["relationships"]:
        if not {relation["spdxElementId"], relation["relatedSpdxElement"]} <= identifiers:
            yield f"the document of what is linked in: {relation}: of no entry"
    taken = {package["name"] for package in written["packages"]} - {"wavetape"}
    known = set(re.findall(r"^([\w.+-]+)", (source / "tools/packages-debian-12.txt").read_text("utf-8"), re.MULTILINE))
    # The compiler brings its own library, and elfutils wants liblzma.
    others = {name for name in taken - known if not re.fullmatch(r"lib(gcc|stdc\+\+)-\d+-dev|liblzma-dev", name)}
    yield from (f"{name} is linked in, and tools/packages-debian-12.txt does not have it" for name in sorted(others))
    if not {"libzstd-dev", "libelf-dev", "libdw-dev", "libprotobuf-c-dev", "uthash-dev"} <= taken:
        yield f"the document of what is linked in has {', '.join(sorted(taken))}"
    yield from (f"{name} is linked in, and has no licence" for name in sorted(taken) if not (licences / name).stat().st_size)
    subprocess.run(command[:-1], check=True)
    if document.read_text("utf-8") != text:
        yield "the document of what is linked in differs from one time to the other"
    shutil.rmtree(licences)


def check_uninstall(meson, build, temporary, environment):
    """What `ninja uninstall` runs takes everything away that was installed."""
    command = [meson, "--internal", "uninstall"]
    done = subprocess.run(command, cwd=build, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"uninstalling ends with {done.returncode}: {done.stdout}{done.stderr}"
    left = pathlib.Path(temporary)
    yield from (f"{path} is left when all is uninstalled" for path in left.rglob("*") if not path.is_dir() and not is_cache(path))


def main(arguments):
    meson, source, build, prefix, *directories, python, compiler = arguments
    python = python.removeprefix(f"{prefix}/").rstrip("/")
    with tempfile.TemporaryDirectory() as temporary:
        environment = {**os.environ, "DESTDIR": temporary}
        subprocess.run([meson, "install", "-C", build, "--no-rebuild", "--quiet"], env=environment, check=True)
        root = pathlib.Path(temporary) / prefix.lstrip("/")
        found = {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}
        everything = [path for path in pathlib.Path(temporary).rglob("*") if not path.is_dir()]
        problems = [f"{path} is not below the prefix" for path in everything if root not in path.parents]
        problems += check_files(found, expected(pathlib.Path(source), directories, python, verbs_of(f"{build}/cli/wavetape")))
        problems += check_modes(root, found)
        problems += check_package(source, build)
        problems += check_example(root, directories[0], directories[4])
        with tempfile.TemporaryDirectory() as other:
            problems += check_moved(pathlib.Path(source), pathlib.Path(build), root, directories[0], other)
        if compiler:
            problems += check_library(pathlib.Path(source), root, temporary, directories[1], compiler)
            problems += check_client(pathlib.Path(source), build, root, temporary, directories[1], compiler)
            problems += check_module(source, root, directories[1], python)
            if shutil.which("dpkg-query"):
                problems += check_materials(pathlib.Path(source), build, root, temporary)
        command, manual = root / directories[0] / "wavetape", root / directories[-1] / "man1/wavetape.1"
        if command.exists() and manual.exists():
            problems += check_manual(command, manual.read_text(encoding="utf-8"))
        for leftover in pathlib.Path(temporary).glob("program*"), pathlib.Path(temporary).glob("example*"):
            for path in leftover:
                path.unlink()
        problems += check_uninstall(meson, build, temporary, environment)
        # It is gone with the last file; whoever made it wants to remove it, too.
        pathlib.Path(temporary).mkdir(exist_ok=True)
    print("\n".join(problems) or f"{len(found)} files, all in their places")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
