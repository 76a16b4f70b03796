"""The wheel installs the programs beside Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import croupier


@pytest.mark.parametrize("name", ["dealer", "croupier"])
def test_the_wheel_has_the_programs(name: str) -> None:
    program = Path(sys.executable).with_name(name)
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert croupier.__version__ in shown


def test_the_program_and_the_package_deal_the_same() -> None:
    program = Path(sys.executable).with_name("dealer")
    script = "condition hcp(north) >= 20 produce 5 action printoneline"
    shown = subprocess.run([program, "--seed", "1"], input=script, capture_output=True, text=True, check=True).stdout
    deals = croupier.deal(script, seed=1).deals
    lines = [line for line in shown.splitlines() if line.startswith("n ")]
    assert [croupier.Deal(line) for line in lines] == list(deals)
