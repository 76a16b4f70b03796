"""`croupier.deal`: results, errors, filters, threads, interruption, memory."""

from __future__ import annotations

import csv
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest

import croupier
from croupier import north, south

AVERAGE = 'condition hcp(north) >= 20 action average "spades" spades(north), frequency "hcp" (hcp(north), 20, 37)'


def test_deals_satisfy_the_condition_and_repeat_with_the_seed() -> None:
    result = croupier.deal("condition hcp(north) >= 20 and spades(south) == 5", produce=25, seed=7)
    assert len(result) == len(result.deals) == 25 and all(d.north.hcp >= 20 and len(d.south.spades) == 5 for d in result)
    again = croupier.deal("condition hcp(north) >= 20 and spades(south) == 5", produce=25, seed=7, threads=1)
    assert again.deals == result.deals and again.to_json() == result.to_json()
    other = croupier.deal("condition hcp(north) >= 20 and spades(south) == 5", produce=25, seed=8)
    assert other.deals != result.deals


def test_a_fresh_seed_can_be_repeated() -> None:
    result = croupier.deal("condition hcp(north) > 20", produce=5)
    again = croupier.deal("condition hcp(north) > 20", produce=5, seed=result.seed)
    assert again.deals == result.deals
    assert croupier.deal("condition hcp(north) > 20", produce=5).deals != result.deals


def test_the_limits_are_those_of_the_caller_then_the_script_then_the_defaults() -> None:
    assert len(croupier.deal("condition 1", seed=1)) == 40
    assert len(croupier.deal("produce 7 condition 1", seed=1)) == 7
    with pytest.warns(croupier.IncompleteWarning, match="300 of 1000"):
        result = croupier.deal("produce 7 generate 100 condition 1", seed=1, produce=1000, generate=300)
    assert result.statistics.generated == 300 and len(result) == 300 and result.statistics.ended in ("generated", "produced")
    with pytest.warns(croupier.IncompleteWarning, match="0 of 5 deals"):
        rare = croupier.deal("condition hcp(north) > 30", generate=1000, produce=5, seed=1, sampler="off")
    assert rare.statistics.ended == "generated" and rare.statistics.generated == 1000


def test_tables_say_what_the_columns_say() -> None:
    result = croupier.deal(AVERAGE, produce=2000, seed=3)
    average, frequency = result.tables
    assert (average.kind, frequency.kind) == ("average", "frequency") and result.tables["spades"] == average
    spades = numpy.array([len(deal.north.spades) for deal in result.deals])
    assert average.mean == pytest.approx(spades.mean()) and average.std == pytest.approx(spades.std(ddof=1))
    assert average.count == 2000 and average.sums == (int(spades.sum()), int((spades**2).sum()))
    interval, mean, deviation = average.interval(), average.mean, average.std
    assert interval is not None and mean is not None and deviation is not None
    low, high = interval
    assert low < mean < high and high - low == pytest.approx(2 * 1.961 * deviation / 2000**0.5, rel=0.04)
    wide = average.interval(0.99) or (0, 0)
    assert wide[0] < low and wide[1] > high
    counts = dict(zip(frequency.columns["hcp(north)"].tolist(), frequency.columns["count"].tolist(), strict=True))
    points = [deal.north.hcp for deal in result.deals]
    assert all(counts[p] == points.count(p) for p in range(20, 38)) and frequency.mean == pytest.approx(numpy.mean(points))
    with pytest.raises(KeyError, match="no table"):
        result.tables["nonsense"]


def test_two_dimensions_rims_and_classes() -> None:
    script = "action frequency (hcp(north), 10, 12, spades(north), 4, 5), bktfreq (hcp(north), 0, 19, 10)"
    result = croupier.deal(script, produce=500, seed=3)
    grid, buckets = result.tables
    frame = grid.to_frame("polars")
    assert frame["count"].sum() == 500 and grid.kind == "grid" and grid.mean is None
    points, spades = [d.north.hcp for d in result], [len(d.north.spades) for d in result]
    inside = frame.filter((frame["hcp(north) from"] == 11) & (frame["spades(north) from"] == 4))["count"].item()
    assert inside == sum(p == 11 and s == 4 for p, s in zip(points, spades, strict=True))
    columns = buckets.columns
    assert columns["count"].tolist()[0] == sum(p < 10 for p in points) and columns["count"].sum() == 500


def test_contracts_are_tables_too() -> None:
    result = croupier.deal("condition hcp(south) > 22 action evalcontract(NS, x3N, nv)", produce=5, seed=3)
    (table,) = result.tables
    tricks = croupier.solve(result.deals, strains="N", declarers="S")
    scores = [int(croupier.Contract("3N").score(it["S", "N"])) for it in tricks]
    assert table.kind == "contract" and table.mean == pytest.approx(numpy.mean(scores))
    assert result.statistics.calls["tricks"] >= 5


def test_a_run_that_only_collects_deals_again_when_somebody_looks() -> None:
    result = croupier.deal(AVERAGE.replace("condition hcp(north) >= 20", ""), produce=300_000, seed=3)
    assert result._kept is None
    assert len(result.deals) == 300_000 and result["spades"].mean() == pytest.approx(result.tables[0].mean)


def test_columns_by_the_arrow_interface() -> None:
    import pandas
    import polars

    result = croupier.deal(AVERAGE, produce=1000, seed=3)
    names = ["number", "north", "east", "south", "west", "spades", "hcp"]
    assert result.columns.names == names
    table = pyarrow.table(result)
    frame = polars.DataFrame(result)
    # Some versions of Polars return a frame, others a series of structures.
    arrow = polars.from_arrow(result)
    assert (arrow if isinstance(arrow, polars.DataFrame) else arrow.struct.unnest()).equals(frame)
    assert table.column_names == names == frame.columns == list(pandas.DataFrame.from_arrow(result).columns)
    assert table["hcp"].to_pylist() == frame["hcp"].to_list() == result["hcp"].tolist()
    # The array and the table share their memory.
    assert table["north"].chunk(0).buffers()[1].address == result["north"].__array_interface__["data"][0]
    assert result.masks.__array_interface__["data"][0] == result["north"].__array_interface__["data"][0]
    assert not result["north"].flags.writeable
    texts = result.to_frame("polars", cards="text")["north"].to_list()
    assert [croupier.Hand(text) for text in texts] == [deal.north for deal in result.deals]
    assert result.to_frame("pyarrow", cards="none").column_names == ["number", *names[5:]]
    with pytest.raises(KeyError, match="there are"):
        result["nonsense"]
    with pytest.raises(ValueError, match="mask, text and none"):
        result.to_frame(cards="nonsense")
    with pytest.raises(ValueError, match="kind of data frame"):
        result.to_frame("nonsense")  # type: ignore[call-overload]


def test_memory_outlives_the_result() -> None:
    masks = croupier.deal("condition 1", produce=1000, seed=3).masks
    column = croupier.deal("condition 1", produce=1000, seed=3)["north"]
    gc.collect()
    assert (masks[:, 0] == column).all()


def test_a_filter_gets_batches_and_counts() -> None:
    sizes: list[int] = []

    def more_spades(batch: croupier.Batch) -> numpy.typing.NDArray[numpy.bool_]:
        sizes.append(len(batch))
        assert batch.masks.shape == (len(batch), 4)
        return numpy.asarray(batch["s"] > batch["hcp"] - 18)

    script = AVERAGE.replace('"spades"', '"s"')
    result = croupier.deal(script, produce=1500, seed=3, filter=more_spades)
    same = croupier.deal(script.replace("condition", "condition spades(north) > hcp(north) - 18 and"), produce=1500, seed=3, sampler="off")
    assert result.deals == same.deals and result.tables[0] == same.tables[0] and result.tables[1] == same.tables[1]
    assert result.statistics.generated == same.statistics.generated and result.statistics.ended == "produced"
    assert len(sizes) < 20


@pytest.mark.parametrize("kind", ["list", "pyarrow", "polars"])
def test_a_filter_may_answer_in_any_kind_of_array(kind: str) -> None:
    import polars

    def answer(batch: croupier.Batch) -> object:
        series = polars.DataFrame(batch)["p"] >= 20
        return {"list": series.to_list(), "pyarrow": series.to_arrow(), "polars": series}[kind]

    result = croupier.deal(north.hcp >= 18, produce=100, seed=3, values={"p": north.hcp}, filter=answer)
    assert len(result) == 100 and min(result["p"]) >= 20


def test_a_filter_that_is_wrong() -> None:
    with pytest.raises(ZeroDivisionError):
        croupier.deal("condition 1", produce=10, filter=lambda batch: 1 // 0)
    with pytest.raises(ValueError, match="answers for"):
        croupier.deal("condition 1", produce=10, filter=lambda batch: [True])
    with pytest.raises(TypeError, match="one bool for each"):
        croupier.deal("condition 1", produce=10, filter=lambda batch: 5)


def test_script_errors_have_a_place_and_a_picture() -> None:
    with pytest.raises(croupier.ScriptError) as caught:
        croupier.deal("condition hcp(north) >= 15\n  and hcpp(south) > 3")
    error = caught.value
    assert (error.line, error.column) == (2, 7) and error.code.startswith("E") and "hcp" in error.message
    assert "^" in str(error) and "and hcpp(south)" in str(error) and error.diagnostics[0]["code"] == error.code
    import pickle

    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, croupier.ScriptError) and again.line == 2 and str(again) == str(error)


def test_runs_that_fail_say_where() -> None:
    with pytest.raises(croupier.DealError, match="division by zero"):
        croupier.deal("condition 10 / (hcp(north) - 10) > 1", seed=1)
    with pytest.raises(croupier.ScriptError, match="twice|both|already"):
        croupier.deal("predeal north SA south SA condition 1")
    with pytest.raises(ValueError, match="sampler"):
        croupier.deal("condition 1", sampler="nonsense")
    with pytest.raises(TypeError):
        croupier.deal(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        croupier.deal("condition 1", produce="many")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="produce must be"):
        croupier.deal("condition 1", produce=-1)
    with pytest.raises(TypeError, match="seed"):
        croupier.deal("condition 1", seed=1.5)  # type: ignore[arg-type]


def test_a_text_imports_nothing_and_a_file_does(tmp_path: Path) -> None:
    (tmp_path / "points.dl").write_text("points = hcp(north)\n")
    (tmp_path / "main.dl").write_text('import "points.dl"\ncondition points > 25\n')
    with pytest.raises(croupier.ScriptError, match="import"):
        croupier.deal((tmp_path / "main.dl").read_text())
    result = croupier.deal(tmp_path / "main.dl", produce=3, seed=1)
    assert all(deal.north.hcp > 25 for deal in result.deals)
    script = croupier.Script.from_file(tmp_path / "main.dl")
    (tmp_path / "points.dl").unlink()
    # The script contains its imports, also with more values, in another process or on another machine.
    import pickle

    assert croupier.deal(pickle.loads(pickle.dumps(script)), produce=3, seed=1, values=["points"]).deals == result.deals


def test_script_variables_and_predeal() -> None:
    script = croupier.Script("condition hcp(north) == $1 and spades(south) == $0", _1=13, _0=6)
    result = croupier.deal(script, produce=5, seed=1)
    assert all(d.north.hcp == 13 and len(d.south.spades) == 6 for d in result)
    assert croupier.deal("condition hcp(north) == $1", _1=13, produce=5, seed=1).deals[0].north.hcp == 13
    with pytest.raises(TypeError, match="_0 to _9"):
        croupier.Script("condition 1", nonsense=1)
    fixed = croupier.deal("condition 1", predeal={"N": "SAKQ", croupier.Seat.SOUTH: croupier.Hand("...AKQ")}, produce=5, seed=1)
    assert all("SA" in d.north and "CK" in d.south for d in fixed)
    assert croupier.Script("condition hcp(north) > 37 + 3").warnings != []


def test_dialects() -> None:
    result = croupier.deal("condition hcp(north) > 20", dialect="v1", seed=1, produce=3)
    assert len(result) == 3
    with pytest.raises(ValueError, match="dialect"):
        croupier.deal("condition 1", dialect="nonsense")


def test_twenty_threads_use_one_script() -> None:
    script = croupier.Script("condition hcp(north) >= $1", _1=15)

    def once(seed: int) -> croupier.Deals:
        return croupier.deal(script, produce=200, seed=seed % 4, threads=1).deals

    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(once, range(80)))
    assert all(found[seed] == found[seed % 4] for seed in range(80))


def test_other_python_threads_run_meanwhile() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    croupier.deal('action average "h" hcp(north)', generate=200_000_000, seed=1)
    done.set()
    thread.join()
    assert ticks > 10


def test_progress_is_told() -> None:
    calls: list[tuple[int, int]] = []
    croupier.deal(north.hcp > 10, produce=50_000, seed=1, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (50_000, 50_000) and [done for done, _ in calls] == sorted(done for done, _ in calls)

    class Bar:
        total: int | None = None
        n = 0

        def update(self, more: int) -> None:
            self.n += more

    bar = Bar()
    croupier.solve(croupier.deal("condition 1", produce=3, seed=1).deals, strains="N", progress=bar)
    assert (bar.n, bar.total) == (3, 3)
    with pytest.raises(KeyError):
        croupier.deal("condition 1", produce=1000, seed=1, progress=lambda done, total: dict[str, int]()["stop"])
    with pytest.raises(TypeError, match="progress"):
        croupier.deal("condition 1", progress=5)  # type: ignore[arg-type]


def test_a_progress_bar_of_tqdm_works() -> None:
    tqdm = pytest.importorskip("tqdm")
    with tqdm.tqdm(disable=False, file=open(os.devnull, "w")) as bar:
        croupier.deal(north.hcp > 10, produce=5000, seed=1, progress=bar)
        assert bar.n == 5000 and bar.total == 5000


@pytest.mark.parametrize(
    "call",
    [
        "croupier.deal('condition hcp(north) > 37 action average hcp(north)', generate=10**15, sampler='off')",
        "croupier.deal('condition 1', produce=10**9, generate=10**15, filter=lambda batch: [False] * len(batch))",
        "croupier.solve(croupier.deal('condition 1', produce=100000, seed=1).deals)",
        "[it.to_frame('polars', cards='text') for it in [croupier.deal('condition 1', produce=1000000, seed=1)] for _ in range(99)]",
        "croupier.deal('condition dds(north, spades) == 13 and hcp(north) < 5', produce=1000, generate=10**15)",
    ],
)
def test_ctrl_c_stops_a_run(call: str) -> None:
    program = textwrap.dedent(f"""
        import croupier, time, threading, os, signal
        # The parent process may ignore SIGINT, which is inherited.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def interrupt():
            global sent
            time.sleep(0.7)
            sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        try:
            {call}
        except KeyboardInterrupt:
            print("stopped", time.monotonic() - sent, flush=True)
            os._exit(0)
    """)
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert run.stdout.startswith("stopped"), run.stderr
    # benches/interruption.py measures the delay: a test must not depend on the load of the machine.


def test_memory_stays_flat() -> None:
    def resident() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def rounds(n: int) -> None:
        for seed in range(n):
            result = croupier.deal(south.hcp > 12, produce=100_000, seed=seed, values={"h": south.hcp})
            assert len(result.deals) == len(result["h"]) == 100_000
            pyarrow.table(result)

    # The allocator keeps memory for each thread; after these rounds it needs no more.
    rounds(20)
    before = resident()
    rounds(30)
    for seed in range(10):
        croupier.deal('action average hcp(north)', generate=1_000_000, seed=seed)
    assert resident() - before < 64 << 20


def test_notebooks_show_tables_and_charts() -> None:
    html = croupier.deal(AVERAGE, produce=100, seed=1)._repr_html_()
    assert "spades" in html and "<svg" in html and html.count("<table") == html.count("</table>") >= 1
    assert "<script" not in html
    deals = croupier.deal("condition 1", produce=2, seed=1)._repr_html_()
    assert deals.count("display:inline-grid") == 2
    assert "hcp" in croupier.deal(AVERAGE, produce=100, seed=1).tables["hcp"]._repr_html_()


def contrast(colour: str, ground: str) -> float:
    """Returns the contrast of two colours by the formula of the Web Content Accessibility Guidelines, 1 to 21."""

    def luminance(text: str) -> float:
        digits = text if len(text) == 6 else "".join(2 * digit for digit in text)
        parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(colour), luminance(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_notebooks_are_readable_in_light_and_dark_themes() -> None:
    result = croupier.deal(AVERAGE + ', frequency "lengths" (spades(north), 0, 7)', produce=100, seed=1)
    deal = result.deals[0]
    shown: list[Any] = [result, result.tables, deal, croupier.Board(deal, 1), croupier.solve(deal)]
    for it in shown:
        html = it._repr_html_()
        # Text has the colour of the notebook, or one that differs enough from a white and from a black ground.
        for colour in re.findall(r"(?<![-\w])color:\s*#([0-9a-fA-F]{3,6})\b", html):
            assert contrast(colour, "ffffff") >= 3 and contrast(colour, "111111") >= 3, (type(it), colour)
        for name, colour in re.findall(r"--(ink|faint|spades|hearts|diamonds|clubs):\s*#([0-9a-fA-F]{3,6})\b", html):
            assert contrast(colour, "ffffff") >= 3 and contrast(colour, "111111") >= 3, (type(it), name)
        assert "prefers-color-scheme" not in html
        assert "<h" not in html or "h3, h4, table, th, td { color: inherit }" in html


def test_the_summary_of_a_result() -> None:
    assert repr(croupier.deal("condition 1", produce=2, seed=1)) == "<croupier.Result: 2 of 2 deals>"


@pytest.mark.parametrize("handler", ["SIG_IGN", "SIG_DFL", "default_int_handler"])
def test_signals_are_handled_afterwards_as_before(handler: str) -> None:
    before = signal.signal(signal.SIGINT, getattr(signal, handler))
    try:
        croupier.solve(croupier.deal("condition 1", produce=1, seed=1).deals)
        assert signal.getsignal(signal.SIGINT) == getattr(signal, handler)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_run_ends_when_its_averages_are_precise() -> None:
    script = 'action average "points" hcp(north)'
    result = croupier.deal(script, precision="0.2 points", seed=1)
    assert 200 <= result.statistics.produced < 100_000
    again = croupier.deal(script, precision="0.2 points", seed=1, threads=1)
    assert again.statistics.produced == result.statistics.produced
    with pytest.raises(ValueError, match="precision"):
        croupier.deal(script, precision="0.2 metres")
    with pytest.raises(ValueError, match="precision"):
        croupier.deal(script, precision="1%", seed=1)
    with pytest.raises(ValueError, match="filter"):
        croupier.deal(script, precision="0.2 points", filter=lambda batch: [True] * len(batch))


def test_values_are_compiled_one_by_one() -> None:
    # Two terms in one text moved the columns after it.
    with pytest.raises(croupier.ScriptError, match=r"values\['a'\]"):
        croupier.deal("condition 1", produce=2, values={"a": "hcp(north), hcp(south)", "b": "hcp(east)"})
    with pytest.raises(croupier.ScriptError, match=r"(?s)values\['b'\]: there is no function `hcpp`.*\n    hcpp\(east\)\n    \^"):
        croupier.deal("condition 1", produce=2, values={"a": "hcp(north)", "b": "hcpp(east)"})
    for text in ("hcp(north)) (hcp(south)", "hcp(north) condition 0", '"text"', "north", "", "hcp(north)), printes(hcp(south)"):
        with pytest.raises((croupier.ScriptError, ValueError)):
            croupier.deal("condition 1", produce=2, values={"a": text, "b": "hcp(east)"})
    result = croupier.deal("condition 1", produce=50, seed=1, values={"a": "hcp(north) // comment", "b": "hcp(east)"})
    assert result["b"].tolist() == [deal.east.hcp for deal in result.deals]


def test_values_beside_single_actions_and_predealt_cards() -> None:
    script = 'predeal north SA average "h" hcp(north) condition hcp(north) > 10 printes(hcp(south))'
    result = croupier.deal(script, produce=20, seed=1, values={"e": "hcp(east)"})
    assert result["e"].tolist() == [deal.east.hcp for deal in result.deals]
    assert result["h"].tolist() == [deal.north.hcp for deal in result.deals]


@pytest.mark.parametrize("name", ["number", "north", "west", "points"])
def test_a_value_cannot_have_the_name_of_another_column(name: str) -> None:
    with pytest.raises(ValueError, match="choose another name"):
        croupier.deal('condition 1 action average "points" hcp(north)', produce=2, values={name: south.hcp})


def test_warnings_of_a_script_reach_the_user() -> None:
    text = "hcp(north) >= 12.5 and hcp(south) > 5"
    studies: list[Callable[[], object]] = [
        lambda: croupier.probability(text),
        lambda: croupier.deal(text, produce=2, generate=1000),
        lambda: croupier.lead("QJT98.A2.K543.72", "3N-S", text, deals=2),
        lambda: croupier.compare(["3N", "4S"], text, deals=2),
    ]
    for study in studies:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                study()
            except croupier.DealError as error:
                assert "none of" in str(error)
        found = [it for it in caught if it.category is croupier.ScriptWarning]
        assert any("W12" in str(it.message) for it in found) and all(it.filename == __file__ for it in found)
    with pytest.warns(croupier.ScriptWarning, match="hundredfold"):
        croupier.evaluate(croupier.deal("condition 1", produce=1).deals, {"a": "hcp(north) >= 12.5"})


def test_a_rare_condition_gives_all_deals_or_says_so() -> None:
    result = croupier.deal(north.hcp >= 32, produce=20, seed=1)
    assert len(result) == 20 and result.complete
    with pytest.warns(croupier.IncompleteWarning, match="6 of 20 deals") as caught:
        short = croupier.deal(north.hcp >= 32, produce=20, generate=10_000_000, seed=1)
    assert not short.complete and len(short) == 6 and "20 asked for" in repr(short) and caught[0].filename == __file__
    assert croupier.deal(north.hcp >= 20, generate=10_000, seed=1).complete
    assert croupier.deal('condition hcp(north) > 36 action average "h" hcp(north)', seed=1).complete


def test_running_out_of_memory_is_a_memory_error() -> None:
    code = """
        import resource
        import croupier
        croupier.deal("condition 1", produce=10)
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        try:
            croupier.deal("condition 1", produce=400_000_000, generate=400_000_000, threads=1)
        except MemoryError as error:
            print("MemoryError", error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert done.returncode == 0 and "MemoryError" in done.stdout, done.stderr


def test_intervals_are_those_of_the_programs() -> None:
    # Tests of the programs compare the file with their text, CSV, JSON and HTML.
    data = Path(__file__).parents[2] / "crates" / "programs" / "tests" / "data"
    found = croupier.deal((data / "intervals.dl").read_text(), seed=1)
    html = found._repr_html_()
    compared = 0
    for row in csv.DictReader((data / "intervals.csv").open()):
        low, high = float(row["low"]), float(row["high"])
        if row["kind"] == "average":
            assert found.tables[row["table"]].interval() == pytest.approx((low, high))
        elif row["kind"] == "frequency":
            assert f"{100 * low:.0f} to {100 * high:.0f} %" in html
        else:
            continue
        compared += 1
    assert compared == 8


def test_messages_name_the_arguments_of_python() -> None:
    with pytest.raises(croupier.ScriptError) as missing:
        croupier.deal("condition hcp(north) > $1", produce=1)
    assert "_1=" in str(missing.value) and "option" not in str(missing.value)
    with pytest.raises(croupier.ScriptError) as twice:
        croupier.deal("condition 1", predeal={"N": "SA", "S": "SA"})
    assert str(twice.value).startswith('predeal["S"]:1:1') and "option" not in str(twice.value)
    with pytest.raises(ValueError, match="seed must be from"):
        croupier.deal("condition 1", seed=2**70)


def test_a_study_warns_once_and_pickles() -> None:
    with pytest.warns(croupier.ScriptWarning) as warned:
        compared = croupier.compare(["3N-S", "4S-S"], "condition hcp(north) >= 0", deals=5)
    assert len(warned) == 1
    leads = croupier.lead("QJT98.A2.K543.72", "3N-S", deals=5)
    assert pickle.loads(pickle.dumps(compared)) == compared and pickle.loads(pickle.dumps(leads)) == leads != compared


def test_given_deals_are_selected_and_counted() -> None:
    dealt = croupier.deal("condition 1", produce=500, seed=1)
    strong = [deal for deal in dealt.deals if deal.north.hcp >= 15]
    result = croupier.deal('condition hcp(north) >= 15 action average "p" hcp(north)', deals=dealt)
    assert list(result.deals) == strong and result.statistics.generated == 500 and result.complete
    assert result.tables["p"].mean == sum(deal.north.hcp for deal in strong) / len(strong)
    again = pickle.loads(pickle.dumps(result))
    assert again.deals == result.deals and again.tables == result.tables
    some = croupier.deal("condition 1", deals=strong, filter=lambda batch: [deal.north.hcp >= 17 for deal in batch.deals])
    assert 0 < len(some) < len(strong)
    assert len(croupier.deal("condition 1", deals=strong, produce=3)) == 3
    with pytest.raises(ValueError, match="cannot be predealt"):
        croupier.deal("condition 1", deals=strong, predeal={"N": "AK..."})


def test_exchanged_hands_follow_each_deal() -> None:
    deals = croupier.deal("condition 1", exchange=2, produce=4, seed=1).deals
    assert deals[0].east == deals[1].west and deals[0].west == deals[1].east and deals[0].north == deals[1].north
    with pytest.raises(ValueError, match="0 .off., 2 or 3"):
        croupier.deal("condition 1", exchange=1)


def test_settings_of_a_run_reach_the_library() -> None:
    script = "HandType_Weak = hcp(north) < 11 HandType_Strong = hcp(north) >= 11 condition HandType_Weak or HandType_Strong"
    even = croupier.deal(script, level="Weak=1,Strong=1", even=True, produce=20, seed=1)
    assert all((a.north.hcp < 11) != (b.north.hcp < 11) for a, b in zip(even.deals[::2], even.deals[1::2], strict=True))
    spread = croupier.deal(script, interleave=True, produce=20, seed=1)
    assert sorted(deal.north.hcp for deal in spread.deals) == sorted(d.north.hcp for d in croupier.deal(script, produce=20, seed=1))
    assert croupier.deal(script, level="Weak=1,Strong=9", level_budget=3, produce=20, seed=1).complete
    chance = "action average rnd(1000)"
    means = [croupier.deal(chance, generate=100, seed=1, rnd_seed=seed).tables[0].mean for seed in (1, 1, 2)]
    assert means[0] == means[1] != means[2]
    opened = [croupier.deal("action average opc(NS)", generate=100, seed=1, opener=seat).tables[0].mean for seat in "NS"]
    assert opened[0] != opened[1]
    pars = [
        croupier.deal("action average par(NS)", generate=20, seed=1, par_vulnerability=who).tables[0].mean
        for who in ("none", "EW")
    ]
    assert pars[0] != pars[1]
    with pytest.raises(ValueError, match="own dialect"):
        croupier.deal("condition 1", tournament=True, dialect="v1")
