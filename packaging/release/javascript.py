"""The package of npm: the engine as WebAssembly with TypeScript types."""

import shutil

from .common import DIST, ROOT, VERSION, Failure, Unavailable, run, show


def package(profile):
    """Builds the package, and tests it in Node, in TypeScript and in Chromium. With the profile `rehearsal` an engine that
    has been built before is used again."""
    if shutil.which("npm") is None:
        raise Unavailable("npm is not here")
    if profile != "rehearsal" or not (ROOT / "target" / "web" / "engine" / "croupier.wasm").exists():
        show(["web/build", "engine"])
    show(["npm/build"])
    show(["node", "--test", "npm/tests/package.test.mjs"])
    name = run(["npm", "pack", "--silent", "--pack-destination", DIST, ROOT / "target" / "npm"]).strip()
    path = DIST / name
    if name != f"croupier-engine-{VERSION}.tgz" or not path.exists():
        raise Failure(f"npm packed {name}")
    return [(path, "Node, TypeScript, Chromium")]
