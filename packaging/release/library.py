"""The crates for crates.io, and the bill of materials."""

import json

from .common import DIST, ROOT, VERSION, Failure, run, show

#: Largest package that crates.io accepts, in bytes.
LARGEST = 10_000_000


def bill_of_materials(profile):
    """Writes the list of all crates in the programs."""
    path = DIST / f"croupier-{VERSION}.cdx.json"
    path.write_text(run(["tools/sbom"]), encoding="utf-8")
    parts = json.loads(path.read_text(encoding="utf-8"))["components"]
    if not any(part["name"] == "croupier" for part in parts):
        raise Failure("the bill of materials lacks the crate croupier")
    return [(path, f"{len(parts)} components")]


def crates(profile):
    """Packs all published crates and compiles each from its package, with the others from a local registry. With the
    profile `rehearsal` they are not compiled, and files may have changes that are not committed."""
    data = json.loads(run(["cargo", "metadata", "--no-deps", "--locked", "--format-version", "1"]))
    private = [package["name"] for package in data["packages"] if package["publish"] == []]
    folder = ROOT / "target" / "packaging"
    command = ["cargo", "package", "--workspace", "--locked", "--target-dir", folder]
    options = ["--no-verify", "--allow-dirty"] if profile == "rehearsal" else []
    show([*command, *(f"--exclude={name}" for name in private), *options])
    packed = sorted((folder / "package").glob(f"*-{VERSION}.crate"))
    if len(packed) != len(data["packages"]) - len(private):
        raise Failure(f"{len(packed)} packages for {len(data['packages']) - len(private)} crates; remove {folder / 'package'}")
    for path in packed:
        if path.stat().st_size > LARGEST:
            raise Failure(f"{path.name} has {path.stat().st_size:,} bytes; crates.io accepts {LARGEST:,}")
    largest = max(packed, key=lambda path: path.stat().st_size)
    how = "packed" if profile == "rehearsal" else "packed and compiled"
    return [(None, f"{len(packed)} crates {how}; the largest is {largest.name}, {largest.stat().st_size / 1e6:.2f} MB")]
