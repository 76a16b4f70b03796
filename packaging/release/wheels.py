"""The Python package: wheels with both programs, and the source distribution."""

import os
import shutil
import sys
import tarfile

from . import debian, programs
from .common import DIST, ROOT, VERSION, Failure, do_main_job, empty_folder, run, show, tool, tool_environment

PYTHON = ROOT / "python"
#: Folder from which maturin puts programs into the wheel.
SCRIPTS = PYTHON / "croupier._croupier.data" / "scripts"
#: A use of the package: deals, their number, an exact probability and a double-dummy table.
USE = """
import croupier
from croupier import north
result = croupier.deal(north.hcp.between(15, 17) & north.balanced, produce=1000, seed=1)
assert result.produced == 1000
assert len(croupier.solve(result.deals[:2])) == 2
print(croupier.probability(north.spades >= 7))
"""


def wheel(target, profile):
    """Builds and tests the wheel for a target."""
    built = programs.build(target, profile)
    shutil.rmtree(SCRIPTS.parent, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    for path in built.values():
        shutil.copy2(path, SCRIPTS)
    environment, options = programs.compiler(target)
    command = [tool("maturin"), "build", "--profile", profile, "--target", target, "--out", DIST]
    if "linux" in target:
        command += ["--zig", "--compatibility", "manylinux2014"]
    folder = ROOT / "target" / "artifacts" / f"wheel-{target}"
    try:
        show([*command, "--target-dir", folder, *options], cwd=PYTHON, env={**environment, **tool_environment()})
    finally:
        shutil.rmtree(SCRIPTS.parent)
    machine = target.split("-")[0].replace("aarch64", "arm64" if "apple" in target else "aarch64")
    found = [path for path in DIST.glob(f"croupier-{VERSION}-cp310-abi3-*.whl") if system_of(path.name, target, machine)]
    if len(found) != 1:
        raise Failure(f"maturin wrote {len(found)} wheels for {target}")
    return [(found[0], test(found[0], target))]


def system_of(name, target, machine):
    """Returns whether a wheel is for the system of a target."""
    system = next(word for key, word in (("linux", "manylinux"), ("apple", "macosx"), ("windows", "win")) if key in target)
    return f"-{system}" in name and (system == "win" or machine in name)


def test(path, target):
    """Checks the system libraries of a wheel, and installs and uses it where neither compilers nor headers are."""
    done = []
    if "linux" in target:
        shown = run([tool("auditwheel"), "show", path])
        if "manylinux_2_17" not in shown:
            raise Failure(shown)
        done.append("manylinux2014")
    if programs.runner(target):
        return ", ".join([*done, "not installed: another processor"])
    with empty_folder() as folder:
        if "linux" in target and os.geteuid() == 0 and shutil.which("debootstrap"):
            system = debian.new_system(folder)
            shutil.copy(path, system)
            inside, where = ["chroot", str(system)], "a new chroot"
            run([*inside, "python3", "-m", "venv", "/venv"])
            run([*inside, "/venv/bin/pip", "install", "--no-index", f"/{path.name}"])
            run([*inside, "/venv/bin/python", "-c", USE])
            home = system / "home" / "player"
            home.mkdir(parents=True)
            do_main_job("/venv/bin/dealer", home, (*inside, "env", "--chdir=/home/player"))
        else:
            venv, where = folder / "venv", "a new environment"
            scripts = venv / ("Scripts" if os.name == "nt" else "bin")
            run([sys.executable, "-m", "venv", venv])
            run([scripts / "python", "-m", "pip", "install", "--no-index", path])
            run([scripts / "python", "-c", USE], cwd=folder)
            do_main_job(scripts / "dealer", folder)
    return ", ".join([*done, f"used in {where}"])


def source(profile):
    """Builds the source distribution and compiles its library in an empty folder."""
    call = f"import build_with_programs; build_with_programs.build_sdist({str(DIST)!r})"
    show([tool("python"), "-c", call], cwd=PYTHON, env=tool_environment())
    path = DIST / f"croupier-{VERSION}.tar.gz"
    with empty_folder() as folder:
        with tarfile.open(path) as files:
            files.extractall(folder, filter="data")
        there = folder / f"croupier-{VERSION}"
        for name in ("LICENSE-APACHE", "LICENSE-MIT", "README.md", "pyproject.toml"):
            if not (there / name).is_file():
                raise Failure(f"the source distribution lacks {name}")
        if profile == "rehearsal":
            run(["cargo", "metadata", "--locked", "--format-version", "1"], cwd=there)
            return [(path, "complete, not compiled")]
        command = [tool("maturin"), "build", "--out", folder, "--target-dir", ROOT / "target" / "artifacts" / "sdist"]
        show(command, cwd=there, env=tool_environment())
    return [(path, "compiled in an empty folder")]
