"""The Debian package: `croupier` with manual pages and completions, and `dealer` as an alternative."""

import email.utils
import hashlib
import os
import shutil

from . import programs
from .common import DIST, PACKAGING, ROOT, VERSION, Failure, do_main_job, empty_folder, epoch, filled, run, tar, zipped

ARCHITECTURES = {"x86_64-unknown-linux-gnu": "amd64", "aarch64-unknown-linux-gnu": "arm64"}
#: Release of Debian in which the package is tested.
SUITE = "bookworm"


def package(target, profile):
    """Builds and tests the package for a target. The program comes from the archive of this target."""
    path = DIST / f"{programs.archive_name(target)}.tar.gz"
    if not path.exists():
        programs.archive(target, profile)
    with empty_folder() as folder:
        deb = write(programs.unpack(path, folder), ARCHITECTURES[target])
    return [(deb, test(deb, ARCHITECTURES[target]))]


def write(there, architecture):
    """Writes the package with the files of an unpacked archive. Returns its path."""
    share, text = "usr/share", lambda name: (there / name).read_bytes()
    files = {
        # A link named `dealer` to this program is the other one.
        "usr/bin/croupier": (text("croupier"), 0o755),
        f"{share}/doc/croupier/copyright": (filled("debian/copyright").encode(), 0o644),
        f"{share}/doc/croupier/changelog.Debian.gz": (zipped(changes().encode()), 0o644),
        f"{share}/doc/croupier/changelog.gz": (zipped(text("CHANGELOG.md")), 0o644),
        f"{share}/doc/croupier/examples/one-notrump.dl": (text("examples/one-notrump.dl"), 0o644),
        f"{share}/man/man1/croupier.1.gz": (zipped(text("man/croupier.1")), 0o644),
        f"{share}/man/man1/croupier-dealer.1.gz": (zipped(text("man/dealer.1")), 0o644),
    }
    for name in programs.PROGRAMS:
        files[f"{share}/bash-completion/completions/{name}"] = (text(f"completions/{name}.bash"), 0o644)
        files[f"{share}/zsh/vendor-completions/_{name}"] = (text(f"completions/_{name}"), 0o644)
        files[f"{share}/fish/vendor_completions.d/{name}.fish"] = (text(f"completions/{name}.fish"), 0o644)
    size = sum(len(content) for content, _ in files.values()) // 1024
    control = filled("debian/control").replace("@ARCHITECTURE@", architecture).replace("@SIZE@", str(size))
    control = control.replace("@GLIBC@", programs.GLIBC)
    scripts = {name: ((PACKAGING / "debian" / name).read_bytes(), 0o755) for name in ("postinst", "prerm")}
    sums = "".join(f"{hashlib.md5(files[name][0]).hexdigest()}  {name}\n" for name in sorted(files))
    parts = {
        "debian-binary": b"2.0\n",
        "control.tar.gz": zipped(tar({"control": (control.encode(), 0o644), **scripts, "md5sums": (sums.encode(), 0o644)})),
        "data.tar.gz": zipped(tar(files)),
    }
    path = DIST / f"croupier_{VERSION}-1_{architecture}.deb"
    path.write_bytes(b"!<arch>\n" + b"".join(member(name, content) for name, content in parts.items()))
    return path


def changes():
    """Returns the list of changes in the form of Debian."""
    maintainer = next(line for line in filled("debian/control").splitlines() if line.startswith("Maintainer: "))
    date = email.utils.formatdate(epoch())
    return (
        f"croupier ({VERSION}-1) unstable; urgency=medium\n\n"
        f"  * Version {VERSION}; changelog.gz has the changes.\n\n"
        f" -- {maintainer.removeprefix('Maintainer: ')}  {date}\n"
    )


def member(name, content):
    """Returns a member of an `ar` archive: a header of 60 bytes and the content, padded to an even length."""
    header = f"{name:16}{epoch():<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
    return header.encode("ascii") + content + b"\n" * (len(content) % 2)


def test(deb, architecture):
    """Checks the package with lintian, and installs, uses and removes it in a new system without compilers."""
    done = []
    if shutil.which("lintian"):
        run(["lintian", "--fail-on", "error", "--allow-root", deb])
        done.append("lintian")
    if architecture != run(["dpkg", "--print-architecture"]).strip():
        return ", ".join([*done, "not installed: another architecture"])
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        return ", ".join([*done, "not installed: that needs root and debootstrap"])
    with empty_folder() as folder:
        system = new_system(folder)
        inside = ["chroot", system]
        # Debian's own program dealer stays where it is.
        debians = system / "usr/games/dealer"
        debians.parent.mkdir(exist_ok=True)
        debians.write_text("#!/bin/sh\n", encoding="ascii")
        shutil.copy(deb, system / "croupier.deb")
        run([*inside, "dpkg", "--install", "/croupier.deb"])
        do_main_job_inside(system)
        for path in ("/usr/bin/dealer", "/usr/share/man/man1/dealer.1.gz"):
            run([*inside, "test", "-e", path])
        run([*inside, "dpkg", "--purge", "croupier"])
        run([*inside, "test", "-e", "/usr/bin/dealer"], status=1)
        run([*inside, "test", "-e", "/usr/games/dealer"])
    return ", ".join([*done, "installed, main job, removed in a new chroot"])


def do_main_job_inside(system):
    """Does the main job of the README in a chroot, as a user of it without rights."""
    home = system / "home" / "player"
    home.mkdir(parents=True)
    do_main_job("dealer", home, ("chroot", "--userspec=65534:65534", system, "env", "--chdir=/home/player"))


def new_system(folder):
    """Returns a new Debian system in a folder: the smallest one, with Python and neither compilers nor headers."""
    kept = ROOT / "target" / f"{SUITE}.tar.gz"
    system = folder / "system"
    if not kept.exists():
        run(["debootstrap", "--variant=minbase", "--include=python3-venv", SUITE, system])
        run(["tar", "--create", "--gzip", "--file", kept, "--directory", system, "."])
        return system
    system.mkdir()
    run(["tar", "--extract", "--gzip", "--file", kept, "--directory", system])
    return system
