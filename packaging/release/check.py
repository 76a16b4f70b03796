"""Versions and addresses: every file that repeats a line of Cargo.toml repeats it correctly."""

import json
import re

from .common import MANIFEST, REPOSITORY, ROOT, VERSION, Failure, run

#: Files whose version is that of the workspace, with the pattern of the line.
VERSIONS = {
    "CITATION.cff": r"^version: (.*)$",
    "editors/tree-sitter/package.json": r'"version": "(.*?)"',
    "editors/tree-sitter/tree-sitter.json": r'"version": "(.*?)"',
    "editors/vscode/package.json": r'"version": "(.*?)"',
    "npm/package.json": r'"version": "(.*?)"',
    "web/package.json": r'"version": "(.*?)"',
}
#: Files that must name the address.
ADDRESSES = (
    "CITATION.cff",
    "README.md",
    "book.toml",
    "editors/tree-sitter/package.json",
    "editors/vscode/package.json",
    "npm/package.json",
    "python/pyproject.toml",
)


def compare(*arguments):
    """Compares versions and addresses. With a tag as the first argument, the version is about to be published."""
    wrong = [*wrong_versions(), *wrong_addresses(), *wrong_crates()]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(rf"^## {re.escape(VERSION)}, (.*)$", changes, re.M)
    if heading is None:
        wrong.append(f"CHANGELOG.md has no heading `## {VERSION}, DATE`")
    elif len(arguments) == 2:
        if arguments[0] != f"v{VERSION}":
            wrong.append(f"the tag is {arguments[0]} and the version {VERSION}")
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", heading[1]):
            wrong.append(f"CHANGELOG.md has no date for {VERSION}")
    if wrong:
        raise Failure("\n".join(wrong))
    print(f"version {VERSION} and address {REPOSITORY} agree in {len({*VERSIONS, *ADDRESSES})} files and all crates")
    return []


def wrong_versions():
    """Yields the files with another version."""
    for name, pattern in VERSIONS.items():
        found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.M)
        if found is None or found[1] != VERSION:
            yield f"{name}: version {found and found[1]} instead of {VERSION}"


def wrong_addresses():
    """Yields the files without the address, and those with another address of the same host and owner."""
    owner = REPOSITORY.rsplit("/", 1)[0]
    names = run(["git", "grep", "-lIF", owner]).split()
    for name in sorted({*names, *ADDRESSES}):
        text = (ROOT / name).read_text(encoding="utf-8")
        found = set(re.findall(re.escape(owner) + r"/[\w-]+", text))
        if found != {REPOSITORY}:
            yield f"{name}: {', '.join(sorted(found)) or 'no address'} instead of {REPOSITORY}"


def wrong_crates():
    """Yields the published crates that lack a line which the registry shows, or that depend on another version."""
    data = json.loads(run(["cargo", "metadata", "--no-deps", "--locked", "--format-version", "1"]))
    for package in data["packages"]:
        if package["publish"] == []:
            continue
        for key in ("description", "repository", "license", "readme", "keywords", "categories", "rust_version"):
            if not package[key]:
                yield f"{package['name']}: no {key}"
        for dependency in package["dependencies"]:
            if dependency.get("path") and dependency["kind"] != "dev" and dependency["req"] != f"^{VERSION}":
                yield f"{package['name']}: {dependency['name']} {dependency['req']} instead of {VERSION}"
        if package["rust_version"] != MANIFEST["rust-version"]:
            yield f"{package['name']}: rust-version {package['rust_version']}"
