"""Every Python example of the documentation runs, and so do the examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest

import croupier

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["python.md", "cluster.md", "tutorials/researcher.md", "../python/README.md"])
def test_examples_of_a_page_run_in_order(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        line = text[: block.start()].count("\n") + 1
        # The line numbers of errors are those of the page.
        exec(compile("\n" * line + block[1], str(DOCS / page), "exec"), names)


def modules_with_examples() -> list[ModuleType]:
    """Returns the modules of the package whose docstrings have examples."""
    names = ["croupier", *(it.name for it in pkgutil.walk_packages(croupier.__path__, "croupier."))]
    modules = [importlib.import_module(name) for name in names if name != "croupier._croupier"]
    finder = doctest.DocTestFinder()
    return [module for module in modules if any(test.examples for test in finder.find(module))]


@pytest.mark.parametrize("module", modules_with_examples(), ids=lambda it: it.__name__)
def test_docstrings(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
