"""The notebooks run and give the stored outputs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"


def outputs(name: str) -> list[dict[str, Any]]:
    """Returns the outputs of a notebook's cells by type of content."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    found: list[dict[str, Any]] = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error", output
            found.append(dict(output.get("data", {"text/plain": output.get("text", "")})))
    return found


def test_the_study_of_the_weak_notrump() -> None:
    chances, summary, plot, contracts, gain = outputs("weak-notrump.ipynb")
    assert "weak" in chances["text/plain"] and "%" in chances["text/plain"]
    assert "game values" in summary["text/html"] and "strong" in summary["text/html"]
    assert plot["image/png"].startswith("iVBOR")
    assert "<table>" in contracts["text/html"] and "♠" in contracts["text/html"]
    assert re.match(r"2S gains -?\d\.\d\d IMPs a board over 1NT", gain["text/plain"])


def test_the_study_of_a_lead() -> None:
    hand, leads, plot, best, layout = outputs("opening-lead.ipynb")
    assert "♠QJ4" in hand["text/html"]
    assert "<th>imps</th>" in leads["text/html"] and "300 layouts" in leads["text/plain"]
    assert plot["image/png"].startswith("iVBOR")
    assert best["text/plain"].startswith("best: ")
    assert "display:inline-grid" in layout["text/html"]


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_are_stored_without_outputs(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert all(cell.get("outputs", []) == [] for cell in cells)
