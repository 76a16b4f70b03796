"""Checksums, installers for the shell and PowerShell, and the formula of Homebrew."""

import hashlib
import os
import re
import shutil

from . import programs
from .common import DIST, VERSION, Failure, do_main_job, empty_folder, filled, run

#: Written files by template.
TEMPLATES = {"install.sh": "croupier-install.sh", "install.ps1": "croupier-install.ps1", "croupier.rb": "croupier.rb"}


def write(profile):
    """Writes the files with the checksums of the archives in target/dist, and installs croupier from there."""
    sums = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(DIST.iterdir())
        if path.is_file() and path.name not in {"SHA256SUMS", *TEMPLATES.values()}
    }

    def total(match):
        name = match[1].replace("@VERSION@", VERSION)
        return sums.get(name, "0" * 64)

    written = []
    for template, name in TEMPLATES.items():
        text = re.sub(r"@SHA256 (\S+?)@", total, filled(template))
        (DIST / name).write_text(text, encoding="utf-8", newline="\n")
        written.append(name)
    (DIST / "SHA256SUMS").write_text("".join(f"{value}  {name}\n" for name, value in sums.items()), encoding="ascii")
    return [
        (DIST / "croupier-install.sh", install()),
        (DIST / "croupier-install.ps1", "not run: needs PowerShell" if shutil.which("pwsh") is None else powershell()),
        (DIST / "croupier.rb", ruby()),
        (DIST / "SHA256SUMS", f"{len(sums)} files"),
    ]


def install():
    """Installs croupier with the shell script from target/dist, and refuses a changed archive."""
    if os.name == "nt":
        return "not run: needs a POSIX shell"
    if not any((DIST / f"{programs.archive_name(target)}.tar.gz").exists() for target in (programs.host(), programs.host().replace("gnu", "musl"))):
        return "not run: no archive for this system"
    with empty_folder() as folder:
        prefix = folder / "prefix"
        environment = {"CROUPIER_PREFIX": str(prefix), "CROUPIER_DOWNLOAD": DIST.as_uri()}
        run(["sh", DIST / "croupier-install.sh"], cwd=folder, env=environment)
        do_main_job(prefix / "bin" / "dealer", folder)
        changed = folder / "changed"
        changed.mkdir()
        for path in DIST.glob("croupier-*.tar.gz"):
            (changed / path.name).write_bytes(path.read_bytes() + b"x")
        environment = {"CROUPIER_PREFIX": str(folder / "other"), "CROUPIER_DOWNLOAD": changed.as_uri()}
        run(["sh", DIST / "croupier-install.sh"], cwd=folder, env=environment, status=1)
        if (folder / "other").exists():
            raise Failure("the installer wrote files of an archive with a wrong checksum")
    return "installs, main job; refuses a changed archive"


def powershell():
    """Parses the PowerShell script."""
    run(["pwsh", "-NoProfile", "-Command", f"$null = [scriptblock]::Create((Get-Content -Raw '{DIST / 'croupier-install.ps1'}'))"])
    return "parsed"


def ruby():
    """Parses the formula."""
    if shutil.which("ruby") is None:
        return "not parsed: needs Ruby"
    run(["ruby", "-c", DIST / "croupier.rb"])
    return "parsed"
