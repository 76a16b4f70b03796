"""Every Python example of the documentation runs, and so do the examples in docstrings."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import croupier

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["python.md", "cluster.md"])
def test_examples_of_a_page_run_in_order(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        line = text[: block.start()].count("\n") + 1
        # The line numbers of errors are those of the page.
        exec(compile("\n" * line + block[1], str(DOCS / page), "exec"), names)


@pytest.mark.parametrize("module", [croupier, croupier.conditions, croupier.cluster, croupier.dealing, croupier.play], ids=lambda it: it.__name__)
def test_docstrings(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted > 0 and found.failed == 0
