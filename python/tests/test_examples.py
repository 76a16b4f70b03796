"""The examples that answer the tasks of other packages."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"


def load(name: str) -> ModuleType:
    """Imports an example file."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


REDEAL, ENDPLAY = load("redeal_examples"), load("endplay_examples")


@pytest.mark.parametrize("example", [*REDEAL.EXAMPLES, *ENDPLAY.EXAMPLES], ids=lambda it: it.__name__)
def test_examples_give_an_answer(example: Any) -> None:
    answer = example(5)
    assert len(answer) > 0 if hasattr(answer, "__len__") else answer.count == 5


def test_a_gambling_notrump_is_a_solid_minor_with_no_ace_or_king_beside_it() -> None:
    shapes = REDEAL.deal_gambling(2000)
    assert sum(count for _, count in shapes) == 2000
    for (spades, hearts, diamonds, clubs), _ in shapes:
        assert spades <= 3 and hearts <= 3 and min(diamonds, clubs) <= 4 and max(diamonds, clubs) >= 7


def test_invitations_lose_what_the_other_plan_wins() -> None:
    odds = REDEAL.bridgewinners_matchpoint_odds(20)
    assert odds["3N against 3N"] == 1
    assert abs(odds["pass against 3N"] + odds["3N against pass"] - 2) < 1e-9
