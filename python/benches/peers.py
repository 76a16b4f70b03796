"""Compares the examples of redeal and endplay with ours: lines of code and processor time, as rows of a Markdown table.

Usage: python peers.py PYTHON REDEAL ENDPLAY [SECONDS]

PYTHON is an interpreter in which both packages can be imported; REDEAL and ENDPLAY are checkouts of the two projects. A peer that
needs more than SECONDS (300) is stopped; its row says how long it had run.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import resource
import subprocess
import sys
from pathlib import Path
from types import ModuleType

OURS = Path(__file__).parents[2] / "examples" / "python"
#: Number of deals of each example.
DEALS = {
    "deal_gambling": 10_000,
    "opening_lead": 100,
    "bbo_you_have_no_clue": 100,
    "bridgewinners_matchpoint_odds": 100,
    "notrump_tricks": 100,
    "oops_2nt": 30,
    "overcall": 25,
    "parscore": 500,
    "slim_6h": 1,
    "stayman": 2,
}
#: The dealer script of endplay for each function.
SCRIPTS = {"notrump_tricks": "3nt_tricks"}


def lines_of_code(source: str) -> int:
    """Returns the number of lines that are neither blank, comments nor docstrings."""
    tree = ast.parse(source)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            text = node.body[0]
            skipped.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(1 for number, line in lines if number not in skipped and line.strip() and not line.strip().startswith("#"))


def function_source(path: Path, name: str) -> str:
    """Returns the source of a function of a file."""
    source = path.read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(source, node) or ""
    raise KeyError(name)


def run(command: list[str], seconds: float, **environment: str) -> tuple[float, str]:
    """Runs a program; returns its processor time and its last line, or ``stopped``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, check=False, env={**os.environ, **environment}
        )
        text = (done.stdout.strip().splitlines() or [""])[-1] if done.returncode == 0 else f"status {done.returncode}"
    except subprocess.TimeoutExpired:
        text = "stopped"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text


def load(name: str) -> ModuleType:
    """Imports a file of examples."""
    spec = importlib.util.spec_from_file_location(name, OURS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Prints the table."""
    python, redeal, endplay = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 300.0
    print("| example | deals | lines, theirs | ours | time, theirs | ours | answer |")
    print("|---|---|---|---|---|---|---|")
    for module in ("redeal_examples", "endplay_examples"):
        path = OURS / f"{module}.py"
        for example in load(module).EXAMPLES:
            name = example.__name__
            number = DEALS.get(name, 10)
            if module == "redeal_examples":
                theirs = redeal / "examples" / f"{name}.py"
                lines = lines_of_code(theirs.read_text(encoding="utf-8"))
                command = [python, "-m", "redeal", "-n", str(number), "--max", "1000000000", str(theirs)]
            else:
                theirs = endplay / "examples" / "dealer_scripts" / f"{SCRIPTS.get(name, name)}.dl"
                script = theirs.read_text(encoding="utf-8").splitlines()
                lines = sum(1 for line in script if line.strip() and not line.strip().startswith(("#", "//")))
                command = [python, "-m", "endplay.dealer", str(theirs)]
            their_time, end = run(command, seconds, PYTHONPATH=str(redeal))
            their_text = f"{their_time:.2f} s" if end != "stopped" else f"more than {their_time:.0f} s"
            our_time, answer = run([sys.executable, str(path), name], seconds)
            own = lines_of_code(function_source(path, name))
            shown = answer.removeprefix(name).strip()[:60].replace("|", "/")
            print(f"| {name} | {number} | {lines} | {own} | {their_text} | {our_time:.2f} s | {shown} |", flush=True)


if __name__ == "__main__":
    main()
