"""Paths, commands and archives with equal bytes in every run."""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGING = ROOT / "packaging"
DIST = ROOT / "target" / "dist"
MANIFEST = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
VERSION = MANIFEST["version"]
#: Address of the repository. Every other file that names it repeats the line of Cargo.toml.
REPOSITORY = MANIFEST["repository"]
LICENCES = ("LICENSE-APACHE", "LICENSE-MIT")


class Failure(Exception):
    """A part that could not be built, or that failed its test."""


class Unavailable(Exception):
    """A part that this machine cannot build, with the reason."""


def run(command, *, cwd=ROOT, env=None, text=None, status=0):
    """Runs a command and returns what it prints. A command with another status is a failure."""
    command = [str(word) for word in command]
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **(env or {})}, input=text, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode != status:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise Failure(f"{' '.join(command)}: status {done.returncode}\n" + "\n".join(lines[-30:]))
    return done.stdout


def show(command, *, cwd=ROOT, env=None):
    """Runs a long command whose output the user sees."""
    command = [str(word) for word in command]
    print("$", " ".join(command), flush=True)
    if subprocess.run(command, cwd=cwd, env={**os.environ, **(env or {})}).returncode != 0:
        raise Failure(f"{' '.join(command)} failed")


def epoch():
    """Returns the time of the last commit, which all packed files have."""
    return int(run(["git", "log", "-1", "--format=%ct"]))


@contextmanager
def empty_folder():
    """An empty folder outside of the repository, which is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        yield Path(folder)


def tool(name):
    """Returns a program of packaging/requirements.txt. The first call installs them in target/release-tools."""
    venv = ROOT / "target" / "release-tools"
    folder = venv / ("Scripts" if os.name == "nt" else "bin")
    wanted = (PACKAGING / "requirements.txt").read_text(encoding="utf-8")
    installed = venv / "requirements.txt"
    if not installed.exists() or installed.read_text(encoding="utf-8") != wanted:
        show([sys.executable, "-m", "venv", venv])
        show([folder / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", PACKAGING / "requirements.txt"])
        installed.write_text(wanted, encoding="utf-8")
    return folder / name


def tool_environment():
    """Returns the environment in which the tools find each other."""
    return {"PATH": f"{tool('python').parent}{os.pathsep}{os.environ['PATH']}"}


def tar(files):
    """Returns a tar archive of files: names with contents and modes. Owner, order and time are fixed."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        folders = {str(parent) for name in files for parent in Path(name).parents if str(parent) != "."}
        for name in sorted({*files, *folders}):
            entry = tarfile.TarInfo(name)
            entry.mtime = epoch()
            if name in folders:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                content, entry.mode = files[name]
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def zipped(content):
    """Returns `content` in gzip form, without a time stamp, so that equal contents give equal bytes."""
    return gzip.compress(content, 9, mtime=0)


def zip_archive(files):
    """Returns a zip archive of files: names with contents and modes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            content, mode = files[name]
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, mode << 16
            archive.writestr(entry, content)
    return out.getvalue()


def filled(template):
    """Returns the text of a template of packaging/ with version and address."""
    text = (PACKAGING / template).read_text(encoding="utf-8")
    return text.replace("@VERSION@", VERSION).replace("@REPOSITORY@", REPOSITORY)


def main_job():
    """Returns the first script of the README, and the output of its command `dealer -s 1 -p 3`, up to the dots."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = "$ dealer -s 1 -p 3 examples/one-notrump.dl\n"
    if command not in readme:
        raise Failure(f"README.md has no line `{command.strip()}`")
    deals = readme.split(command)[1].split("...\n")[0]
    return (ROOT / "examples" / "one-notrump.dl").read_text(encoding="utf-8"), deals


def do_main_job(program, folder, runner=()):
    """Runs the command of the README with a program in a folder, and compares what it prints with the README."""
    script, deals = main_job()
    (folder / "one-notrump.dl").write_text(script, encoding="utf-8")
    printed = run([*runner, program, "-s", "1", "-p", "3", "one-notrump.dl"], cwd=folder)
    if not printed.startswith(deals):
        raise Failure(f"{program} prints\n{printed}instead of\n{deals}")
