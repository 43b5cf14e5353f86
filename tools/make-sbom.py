#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Say what an installation is made of: an SPDX 2.3 document of its files, and of the packages whose code is in them.

Usage: tools/make-sbom.py BUILD PREFIX DOCUMENT [LICENCES]
  BUILD: the build directory; what its linker and compilers read is what counts, no list by hand
  PREFIX: where its programs were installed
  DOCUMENT: the file that is written
  LICENCES: a directory for the copyright files of these packages

It is of a build with -Dstatic=true, the default. Debian's packages are named by dpkg. The C library is the system's own and
not among them. The same build and installation make the same document; SOURCE_DATE_EPOCH is when it was made.
"""
import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

# The system's own: the C library is linked dynamically, and the kernel's headers are no code.
SYSTEM = {"libc6-dev", "linux-libc-dev"}
# Seconds since 1970, as tools/package.sh has them for the files of the tarball.
EPOCH = 1577836800


def run(*command):
    """What a command prints; the end where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"make-sbom.py: {' '.join(command)[:200]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Build:
    """What the programs of a build directory were linked and compiled of."""

    def __init__(self, path):
        self.path = path
        self.project = json.loads((path / "meson-info/intro-projectinfo.json").read_text("utf-8"))
        self.headers = collections.defaultdict(set)
        target = None
        for line in run("ninja", "-C", str(path), "-t", "deps").splitlines():
            if not line.startswith(" "):
                target = line.split(":")[0]
            elif line.strip().startswith("/usr/"):
                self.headers[target].add(line.strip())

    def programs(self):
        """(path below the prefix, target for ninja) of each installed file that was linked."""
        options = json.loads((self.path / "meson-info/intro-buildoptions.json").read_text("utf-8"))
        prefix = next(option["value"] for option in options if option["name"] == "prefix")
        installed = json.loads((self.path / "meson-info/intro-installed.json").read_text("utf-8"))
        for built, place in sorted(installed.items(), key=lambda pair: pair[1]):
            path = pathlib.Path(built)
            # Code objects of GPUs are ELF files, too: nothing of the host is linked into them.
            if path.is_relative_to(self.path) and path.suffix != ".co" and path.read_bytes()[:4] == b"\x7fELF":
                yield str(pathlib.Path(place).relative_to(prefix)), str(path.relative_to(self.path))

    def foreign(self, target):
        """Files of other packages whose code is in a program: archives, and headers."""
        inputs = run("ninja", "-C", str(self.path), "-t", "inputs", target).split()
        archives = {name for name in inputs if name.startswith("/usr/") and name.endswith(".a")}
        return archives.union(*(self.headers[name] for name in inputs if name.endswith(".o")))


def owners(files):
    """Package of each file, by Debian's names."""
    real = {name: os.path.realpath(name) for name in files}
    found = {}
    if not real:
        return found
    for line in run("dpkg-query", "-S", *sorted(set(real.values()))).splitlines():
        packages, name = line.split(": ", 1)
        found[name] = packages.split(",")[0].split(":")[0]
    return {name: found[path] for name, path in real.items()}


def hashes(path):
    """SHA-1, which the format demands, and SHA-256."""
    data = path.read_bytes()
    return hashlib.sha1(data).hexdigest(), hashlib.sha256(data).hexdigest()


def identifier(kind, name):
    """An identifier of SPDX has letters, digits, dots and dashes only."""
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def describe_package(name):
    """A Debian package whose code was taken."""
    version, source, source_version, home = run(
        "dpkg-query", "-W", "-f", "${Version}\t${source:Package}\t${source:Version}\t${Homepage}\n", name).splitlines()[0].split("\t")
    return {
        "SPDXID": identifier("Package", name),
        "name": name,
        "versionInfo": version,
        "supplier": "Organization: Debian",
        "sourceInfo": f"source package {source} {source_version}",
        "homepage": home or "NOASSERTION",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        "licenseComments": f"share/doc/wavetape/licences/{name}",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{name}@{version}?arch=amd64",
        }],
    }


def make_document(build, prefix):
    """The document, and the names of the packages in it."""
    files, sums = [], []
    for path in sorted(prefix.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        name = str(path.relative_to(prefix))
        sha1, sha256 = hashes(path)
        sums.append(sha1)
        files.append({
            "SPDXID": identifier("File", name),
            "fileName": f"./{name}",
            "checksums": [{"algorithm": "SHA1", "checksumValue": sha1}, {"algorithm": "SHA256", "checksumValue": sha256}],
            "licenseConcluded": "NOASSERTION",
            "licenseInfoInFiles": ["NOASSERTION"],
            "copyrightText": "NOASSERTION",
        })

    project = "SPDXRef-Package-wavetape"
    relations, packages = [("SPDXRef-DOCUMENT", "DESCRIBES", project)], set()
    relations += [(project, "CONTAINS", entry["SPDXID"]) for entry in files]
    for place, target in build.programs():
        taken = build.foreign(target)
        used = set(owners(taken).values()) - SYSTEM
        packages |= used
        relations += [(identifier("File", place), "STATIC_LINK", identifier("Package", name)) for name in sorted(used)]

    version = build.project["version"]
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"wavetape-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/wavetape-{version}-{hashlib.sha256(''.join(sums).encode()).hexdigest()[:32]}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "creators": [f"Tool: wavetape-make-sbom-{version}"],
        },
        "packages": [{
            "SPDXID": project,
            "name": "wavetape",
            "versionInfo": version,
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": True,
            "packageVerificationCode": {"packageVerificationCodeValue": hashlib.sha1("".join(sorted(sums)).encode()).hexdigest()},
            "licenseConcluded": "MIT",
            "licenseDeclared": "MIT",
            "licenseInfoFromFiles": ["NOASSERTION"],
            "copyrightText": "NOASSERTION",
        }] + [describe_package(name) for name in sorted(packages)],
        "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations],
    }
    return document, packages


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit("usage: tools/make-sbom.py BUILD PREFIX DOCUMENT [LICENCES]")
    build, prefix, output = Build(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
    document, packages = make_document(build, prefix)
    output.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    for name in sorted(packages) if len(sys.argv) == 5 else ():
        shutil.copyfile(f"/usr/share/doc/{name}/copyright", pathlib.Path(sys.argv[4]) / name)


if __name__ == "__main__":
    main()
