"""The container image of `croupier serve`: the static programs and nothing else."""

import http.client
import os
import shutil
import socket
import subprocess
import time

from . import programs
from .common import DIST, PACKAGING, VERSION, Failure, Unavailable, do_main_job, empty_folder, show

#: User of the image, without a name.
USER = 65532


def image(target, profile):
    """Tests the programs of the image as its user in a root folder that has nothing else, and builds it with buildah."""
    path = DIST / f"{programs.archive_name(target)}.tar.gz"
    if not path.exists():
        programs.archive(target, profile)
    if os.geteuid() != 0:
        raise Unavailable("a new root folder needs root")
    with empty_folder() as folder:
        there = programs.unpack(path, folder)
        root = folder / "root"
        root.mkdir()
        for name in programs.PROGRAMS:
            shutil.copy2(there / name, root)
        inside = ["chroot", f"--userspec={USER}:{USER}", str(root)]
        do_main_job("/dealer", root, inside)
        serves(inside)
        if shutil.which("buildah") is None:
            return [(None, "main job and page in an empty root folder; the image needs buildah, which is not here")]
        out = DIST / f"croupier-{VERSION}-image.tar"
        name = f"croupier:{VERSION}"
        show(["buildah", "build", "--isolation=chroot", "--timestamp=0", "--tag", name, "--file", PACKAGING / "Containerfile", there])
        out.unlink(missing_ok=True)
        show(["buildah", "push", name, f"oci-archive:{out}:{name}"])
    return [(out, "main job and page in an empty root folder")]


def serves(inside):
    """Starts the server as the image does, and loads the page."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [*inside, "/croupier", "serve", "--bind", "0.0.0.0", "--port", str(port), "--host", f"localhost:{port}"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            time.sleep(0.2)
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            try:
                connection.request("GET", "/", headers={"Host": f"localhost:{port}"})
                answer = connection.getresponse()
                if answer.status == 200 and b"<html" in answer.read():
                    return
            except OSError:
                continue
        raise Failure("the server does not answer")
    finally:
        server.terminate()
        server.wait()
