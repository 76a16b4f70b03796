"""The build backend of the package: maturin, with the programs `dealer` and `croupier` in the wheel.

pip calls it. To build a wheel with options of maturin, run `python build_with_programs.py --release` first, with the options of
cargo: it builds the programs and puts them where maturin looks for them.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

HERE = Path(__file__).resolve().parent
#: Programs that the wheel installs beside `python`. The folder has the name of the module.
SCRIPTS = HERE / "croupier._croupier.data" / "scripts"
PACKAGES = ("croupier-dealer", "croupier-programs")


def build_programs(options: list[str]) -> None:
    """Builds the programs with cargo and copies them to `SCRIPTS`. A source distribution has the library only."""
    shutil.rmtree(SCRIPTS.parent, ignore_errors=True)
    if not (HERE.parent / "crates" / "programs").is_dir():
        return
    packages = [word for package in PACKAGES for word in ("--package", package)]
    command = [os.environ.get("CARGO", "cargo"), "build", "--locked", "--bins", *packages, *options]
    built = subprocess.run(
        [*command, "--message-format=json-render-diagnostics"], cwd=HERE.parent, stdout=subprocess.PIPE, check=True
    )
    SCRIPTS.mkdir(parents=True)
    for line in built.stdout.splitlines():
        program = json.loads(line).get("executable")
        if program is not None:
            shutil.copy2(program, SCRIPTS)


def build_sdist(directory: str, settings: Any = None) -> str:
    """Builds the source distribution. It has a part of the workspace, so its lock file must list only the crates of this part."""
    name: str = maturin.build_sdist(directory, settings)
    path = Path(directory) / name
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(path) as files:
            files.extractall(folder, filter="data")
            entries = [(entry, files.extractfile(entry)) for entry in files.getmembers()]
            contents = [(entry, file.read() if file else b"") for entry, file in entries]
        there = Path(folder) / name.removesuffix(".tar.gz")
        # cargo removes the crates that nothing needs, and changes no version.
        command = [os.environ.get("CARGO", "cargo"), "metadata", "--format-version", "1"]
        subprocess.run(command, cwd=there, stdout=subprocess.DEVNULL, check=True)
        lock = (there / "Cargo.lock").read_bytes()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for entry, content in contents:
            if entry.name.endswith("/Cargo.lock"):
                content = lock
                entry.size = len(lock)
            archive.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return name


def build_wheel(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """Builds the wheel."""
    build_programs(["--release"])
    name: str = maturin.build_wheel(directory, settings, metadata)
    return name


def build_editable(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """Builds the wheel of an editable installation."""
    build_programs(["--release"])
    name: str = maturin.build_editable(directory, settings, metadata)
    return name


if __name__ == "__main__":
    build_programs(sys.argv[1:])
