"""Tables asked for in Python."""

from __future__ import annotations

import pickle
from collections import Counter

import numpy
import pytest

import croupier
from croupier import crosstab, north, south

TABLES = {
    "p": south.hcp.mean(),
    "f": south.spades.value_counts(),
    "g": crosstab(north.hcp, south.hcp),
    "k": north.cccc.mean(),
    "b": north.cccc.value_counts(10, 20, step=2),
}


@pytest.fixture(scope="module")
def result() -> croupier.Result:
    return croupier.deal(north.hcp >= 12, tables=TABLES, produce=2000, seed=1)


def test_tables_are_those_of_the_deals(result: croupier.Result) -> None:
    points = [deal.south.hcp for deal in result.deals]
    spades = Counter(len(deal.south.spades) for deal in result.deals)
    assert result.tables.keys() == list(TABLES) and result.tables["p"].mean == pytest.approx(numpy.mean(points))
    counts = result.tables["f"].to_numpy()
    assert counts.shape == (14,) and counts.tolist() == [spades[length] for length in range(14)]
    assert result["p"].tolist() == points


def test_a_grid_has_two_dimensions(result: croupier.Result) -> None:
    grid = result.tables["g"]
    pairs = Counter((deal.north.hcp, deal.south.hcp) for deal in result.deals)
    cells = grid.to_numpy()
    assert cells.shape == (38, 38) and cells.sum() == 2000 and cells[14, 8] == pairs[14, 8]
    assert grid.pivot()[14][8] == pairs[14, 8]
    with pytest.raises(ValueError, match="one dimension"):
        result.tables["f"].pivot()


def test_tables_have_the_scale_of_python(result: croupier.Result) -> None:
    mean = float(numpy.mean([deal.north.cccc for deal in result.deals]))
    table = result.tables["k"]
    interval = table.interval()
    assert table.mean == pytest.approx(mean) and interval is not None and interval[0] < mean < interval[1] < 30
    assert table.to_frame("polars")["mean"][0] == pytest.approx(mean)
    classes = result.tables["b"].to_frame("polars")
    assert classes["cccc(north) from"].to_list()[1:4] == [10, 12, 14] and classes["count"].sum() == 2000
    assert "<table>" in table._repr_html_() and "1" in result._repr_html_()


def test_tables_beside_those_of_a_script() -> None:
    result = croupier.deal('condition hcp(north) > 11 action average "a" hcp(east)', tables={"p": south.hcp.mean()}, produce=100, seed=1)
    assert result.tables.keys() == ["a", "p"] and len(result) == 100


def test_a_run_with_tables_only_counts() -> None:
    result = croupier.deal(north.hcp >= 30, tables={"p": south.hcp.mean()}, seed=1)
    assert result.statistics.generated == 10_000_000 and result.complete


def test_plots(result: croupier.Result) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    for table in result.tables:
        axes = table.plot()
        assert axes.get_title() == table.title
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.close("all")


def test_wrong_tables_are_errors() -> None:
    with pytest.raises(TypeError, match="mean"):
        croupier.deal(north.hcp > 3, tables={"a": north.hcp})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="name of a table"):
        croupier.deal(north.hcp > 3, tables={'a"b': north.hcp.mean()})
    with pytest.raises(ValueError, match="low="):
        croupier.deal(north.hcp > 3, tables={"a": north.cccc.value_counts(step=0.01)})
    with pytest.raises(ValueError, match="step"):
        north.hcp.value_counts(step=0)


def test_results_survive_pickling(result: croupier.Result) -> None:
    again: croupier.Result = pickle.loads(pickle.dumps(result))
    assert again == result and again.tables == result.tables and again.deals == result.deals
    assert again.tables["k"].mean == result.tables["k"].mean
    for value in (result.tables["p"], result.tables, result.columns, croupier.evaluate(result.deals[:5], {"a": north.hcp}), croupier.par(result.deals[0])):
        assert pickle.loads(pickle.dumps(value)) == value
