"""The programs `dealer` and `croupier`: builds for a target, and archives with manual pages and completions."""

import os
import platform
import shutil
import tarfile
import zipfile
from pathlib import Path

from .common import (
    DIST,
    LICENCES,
    ROOT,
    VERSION,
    Failure,
    Unavailable,
    do_main_job,
    empty_folder,
    epoch,
    run,
    show,
    tar,
    tool,
    tool_environment,
    zip_archive,
    zipped,
)

PROGRAMS = ("croupier", "dealer")
#: The oldest glibc with which the programs run: that of manylinux2014.
GLIBC = "2.17"
#: Sources of the standard library of Debian's rust-web-src, with which it can be built for any target.
DEBIAN_SOURCES = Path("/usr/lib/rustlib/src/rust/library/std")
#: Completion files by shell.
SHELLS = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish", "powershell": "_{}.ps1", "elvish": "{}.elv"}
#: Emulators for programs of another system, with the package of Debian that has them.
EMULATORS = {
    "aarch64-unknown-linux-gnu": (["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"], "qemu-user and libc6-arm64-cross"),
    "aarch64-unknown-linux-musl": (["qemu-aarch64"], "qemu-user"),
    "x86_64-pc-windows-gnu": (["/usr/lib/wine/wine64"], "wine64"),
}


def host():
    """Returns the target of the compiler."""
    return next(line.split()[1] for line in run(["rustc", "-vV"]).splitlines() if line.startswith("host:"))


def runner(target):
    """Returns the command before a program of this target, which is empty if the machine runs it directly."""
    system, machine = platform.system().lower(), platform.machine().lower().replace("amd64", "x86_64").replace("arm64", "aarch64")
    if target.split("-")[0] == machine and {"darwin": "apple", "windows": "windows"}.get(system, system) in target:
        return []
    command, package = EMULATORS.get(target, (None, None))
    if command is None:
        raise Unavailable(f"programs for {target} do not run on this machine")
    if shutil.which(command[0]) is None or (command[-1].startswith("/usr/aarch64") and not Path(command[-1]).exists()):
        raise Unavailable(f"programs for {target} need Debian's {package} here")
    return command


def compiler(target):
    """Returns environment and options of cargo with which it can compile for a target."""
    remap = f"--remap-path-prefix={ROOT}=/croupier --remap-path-prefix={os.environ.get('CARGO_HOME', Path.home() / '.cargo')}=/cargo"
    environment = {"RUSTFLAGS": remap, "SOURCE_DATE_EPOCH": str(epoch())}
    sysroot = Path(run(["rustc", "--print", "sysroot"]).strip())
    if (sysroot / "lib" / "rustlib" / target).is_dir():
        return environment, []
    if DEBIAN_SOURCES.exists():
        if target.endswith("musl"):
            # zig has the start files of musl; Debian's compiler comes without them.
            environment["RUSTFLAGS"] += " -Clink-self-contained=no"
        environment |= {"RUSTC": "/usr/bin/rustc", "CARGO": "/usr/bin/cargo", "RUSTC_BOOTSTRAP": "1"}
        return environment, ["-Zbuild-std=std,panic_abort"]
    raise Unavailable(f"no standard library: rustup target add {target}, or Debian's rustc-web, cargo-web and rust-web-src")


def build(target, profile):
    """Builds both programs. Returns their paths. zig links those for Linux, so that they run on old systems."""
    environment, options = compiler(target)
    folder = ROOT / "target" / "artifacts" / target
    if "linux" in target:
        command = [tool("cargo-zigbuild"), "zigbuild", "--target", f"{target}.{GLIBC}" if "gnu" in target else target]
        environment |= tool_environment()
    else:
        if target.endswith("windows-gnu") and shutil.which("x86_64-w64-mingw32-gcc") is None:
            raise Unavailable("programs for Windows need Debian's gcc-mingw-w64-x86-64 here")
        command = [environment.get("CARGO", "cargo"), "build", "--target", target]
    packages = ["-p", "croupier-dealer", "-p", "croupier-programs", "--bins"]
    show([*command, "--locked", "--profile", profile, "--target-dir", folder, *packages, *options], env=environment)
    ending = ".exe" if "windows" in target else ""
    return {name: folder / target / profile / f"{name}{ending}" for name in PROGRAMS}


def pages(croupier, command=()):
    """Returns manual pages and completions of both programs, by their path in an archive."""
    files = {}
    for name in PROGRAMS:
        files[f"man/{name}.1"] = run([*command, croupier, "man", name]).encode()
        for shell, pattern in SHELLS.items():
            files[f"completions/{pattern.format(name)}"] = run([*command, croupier, "completions", shell, name]).encode()
    return files


def archive_name(target):
    """Returns the name of the folder in the archive of a target, which is the name of the archive without its ending."""
    return f"croupier-{VERSION}-{target}"


def archive(target, profile):
    """Builds and tests the archive of a target."""
    command = runner(target)
    built = build(target, profile)
    files = {path.name: (path.read_bytes(), 0o755) for path in built.values()}
    for name, content in pages(built["croupier"], command).items():
        files[name] = (content, 0o644)
    for name in (*LICENCES, "README.md", "CHANGELOG.md", "examples/one-notrump.dl"):
        files[name] = ((ROOT / name).read_bytes(), 0o644)
    files = {f"{archive_name(target)}/{name}": entry for name, entry in files.items()}
    if "windows" in target:
        path = DIST / f"{archive_name(target)}.zip"
        path.write_bytes(zip_archive(files))
    else:
        path = DIST / f"{archive_name(target)}.tar.gz"
        path.write_bytes(zipped(tar(files)))
    sizes = ", ".join(f"{name} {built[name].stat().st_size / 1e6:.1f} MB" for name in PROGRAMS)
    return [(path, f"{test(path, target, command)}; {sizes}")]


def unpack(path, folder):
    """Unpacks an archive in a folder. Returns the folder of its files."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as files:
            files.extractall(folder)
    else:
        with tarfile.open(path) as files:
            files.extractall(folder, filter="data")
    return folder / path.name.removesuffix(".zip").removesuffix(".tar.gz")


def test(path, target, command=()):
    """Unpacks an archive in an empty folder and does the main job of the README and one job of `croupier`."""
    with empty_folder() as folder:
        there = unpack(path, folder)
        ending = ".exe" if "windows" in target else ""
        do_main_job(there / f"dealer{ending}", folder, command)
        printed = run([*command, there / f"croupier{ending}", "poker", "equity", "AA", "KK"], cwd=folder)
        if "AA" not in printed:
            raise Failure(f"croupier prints {printed}")
    return "main job" + (" (emulated)" if command else "")
