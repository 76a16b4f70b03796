"""Studies of many solved deals: opening leads and contracts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar, overload

from . import _croupier
from ._croupier import Contract, Deals, Hand
from .dealing import (
    PredealLike,
    Progress,
    ScriptLike,
    check_count,
    make_job,
    make_result,
    progress_callback,
    read_script,
)
from .frames import FrameKind, to_frame
from .result import Result, estimate_text
from .values import Seat, Vulnerability

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .dealing import DealsLike
    from .frames import Frame

__all__ = ["ContractResult", "Contracts", "LeadResult", "Leads", "Measure", "Playouts", "compare", "lead"]


class Measure(NamedTuple):
    """An estimated number with the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return _text(self)


@dataclass(frozen=True)
class LeadResult:
    """The result of a lead. Each number comes with the ends of its 95 % interval: (value, low, high)."""

    #: Card, with the cards in sequence with it.
    cards: Hand
    #: Share of the layouts on which the contract goes down, 0 to 1.
    sets: Measure
    #: Tricks for the defence.
    tricks: Measure | None = None
    #: The defenders' score.
    score: Measure | None = None
    #: IMPs per board against the other leads, on average.
    imps: Measure | None = None
    #: Share of the matchpoints against the other leads, 0 to 1.
    matchpoints: Measure | None = None


#: Decimals of exact numbers, which have an interval without width.
_EXACT_DECIMALS = 12


def _text(estimate: Measure, digits: int | None = None) -> str:
    """Returns value and interval: ``8.35 (8.1 to 8.6)``. A single deal and an exact number have no interval."""
    is_exact = estimate.low == estimate.high
    return estimate_text(estimate.value, None if is_exact else (estimate.low, estimate.high), digits)


def _rounded(estimate: Measure, digits: int | None) -> list[float]:
    """Returns value and ends of the interval, with ``digits`` decimals or as many as the interval supports."""
    if digits is None and estimate.low == estimate.high:
        digits = _EXACT_DECIMALS
    decimals = _croupier.interval_decimals(estimate.low, estimate.high) if digits is None else digits
    return [round(number, decimals) + 0.0 for number in estimate]


_Item = TypeVar("_Item")


class StudyResults(Sequence[_Item], Generic[_Item]):
    """Results of a study: a sequence, a data frame and tables."""

    _results: list[_Item]

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> _Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Item]: ...

    def __getitem__(self, index: int | slice) -> _Item | list[_Item]:
        return self._results[index]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def _estimates(self) -> dict[str, list[Measure]]:
        raise NotImplementedError

    def _names(self) -> tuple[str, list[str], list[str]]:
        """Returns the title of the first column, its texts, and its texts in HTML."""
        raise NotImplementedError

    def _numbers(self) -> dict[str, list[float]]:
        """Returns further columns, of numbers without an interval."""
        return {}

    def _texts(self, digits: int | None = None) -> dict[str, list[str]]:
        """Returns the columns after the first one as texts."""
        columns = {name: [_text(it, digits) for it in column] for name, column in self._estimates().items()}
        for name, numbers in self._numbers().items():
            columns[name] = [f"{it:.{2 if digits is None else digits}f}" for it in numbers]
        return columns

    @overload
    def to_frame(self, kind: Literal["polars"], *, digits: int | None = None) -> polars.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pandas"], *, digits: int | None = None) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, kind: Literal["pyarrow"], *, digits: int | None = None) -> pyarrow.Table: ...
    @overload
    def to_frame(self, kind: FrameKind | None = None, *, digits: int | None = None) -> Frame: ...

    def to_frame(self, kind: FrameKind | None = None, *, digits: int | None = None) -> Frame:
        """Returns a data frame: each estimate ``x`` with the ends of its 95 % interval, ``x_low`` and ``x_high``.

        Numbers are rounded to ``digits`` decimals, by default to as many as the interval supports.
        """
        title, names, _ = self._names()
        columns: dict[str, list[str] | list[float]] = {title: names}
        for name, estimates in self._estimates().items():
            numbers = [_rounded(it, digits) for it in estimates]
            for place, end in enumerate(("", "_low", "_high")):
                columns[name + end] = [row[place] for row in numbers]
        columns.update(self._numbers())
        return to_frame(_croupier.columns(columns), kind)

    def text(self, *, digits: int | None = None) -> str:
        """Returns a table of the results with their intervals."""
        title, names, _ = self._names()
        columns = [[title, *names]]
        columns += [[name, *column] for name, column in self._texts(digits).items()]
        widths = [max(map(len, column)) for column in columns]
        rows = zip(*columns, strict=True)
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        title, _, names = self._names()
        texts = self._texts()
        head = "".join(f"<th>{name}</th>" for name in (title, *texts))
        columns = [names, *texts.values()]
        rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in zip(*columns, strict=True))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><tr>{head}</tr>{body}</table>"


def _lead_result(row: _croupier.LeadRow) -> LeadResult:
    def measure(triple: tuple[float, float, float] | None) -> Measure | None:
        return None if triple is None else Measure(*triple)

    return LeadResult(
        cards=row["cards"],
        sets=Measure(*row["sets"]),
        tricks=measure(row.get("tricks")),
        score=measure(row.get("score")),
        imps=measure(row.get("imps")),
        matchpoints=measure(row.get("matchpoints")),
    )


class Leads(StudyResults[LeadResult]):
    """The leads of a hand, best first."""

    def __init__(
        self, contract: Contract, layouts: int, rows: Sequence[_croupier.LeadRow], screened: int | None = None
    ) -> None:
        """Creates the results of `croupier.lead`: ``layouts`` were solved, ``screened`` were screened by short
        searches.
        """
        self.contract = contract
        self.layouts = layouts
        self.screened = layouts if screened is None else screened
        self._results = [_lead_result(row) for row in rows]

    @property
    def best(self) -> Hand:
        """The best lead, with the cards in sequence with it."""
        return self._results[0].cards

    def _names(self) -> tuple[str, list[str], list[str]]:
        cards = [it.cards for it in self._results]
        return "lead", [lead_name(it) for it in cards], [it._repr_html_() for it in cards]

    def _estimates(self) -> dict[str, list[Measure]]:
        columns: dict[str, list[Measure]] = {}
        for name in ("tricks", "sets", "score", "imps", "matchpoints"):
            column = [getattr(it, name) for it in self._results]
            if column[0] is not None:
                columns[name] = column
        return columns

    def __repr__(self) -> str:
        best = self._results[0]
        name, worth = ("IMPs", best.imps) if best.imps is not None else ("sets", best.sets)
        text = f"best {lead_name(best.cards)}, {name} {_text(worth)}"
        return f"<croupier.Leads against {self.contract}, {self.layouts} layouts, {text}>"


def lead_name(cards: Hand) -> str:
    """Returns suit and ranks of cards of one suit: ``SQJ``."""
    suit = next(iter(cards)).suit
    return f"{suit.value}{cards[suit]}"


def _layouts(
    condition: ScriptLike,
    *,
    produce: int,
    generate: int | None,
    seed: int | str,
    threads: int,
    predeal: PredealLike | None,
    **variables: Any,
) -> Result:
    """Deals the layouts of a study. No layout is an error; fewer than asked for are a warning."""
    _, job = make_job(
        condition, produce=produce, generate=generate, seed=seed, threads=threads, predeal=predeal, **variables
    )
    outcome, kept = job.run(True)
    if not outcome.produced:
        raise _croupier.DealError(f"none of {outcome.generated:,} deals satisfies the condition")
    return make_result(job, outcome, kept, None, None)


def lead(
    hand: Hand | str,
    contract: Contract | str,
    condition: ScriptLike = "condition 1",
    *,
    deals: int | None = None,
    precision: str | None = None,
    control: int | None = None,
    generate: int | None = None,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    seed: int | str = 1,
    predeal: PredealLike | None = None,
    sets_only: bool = False,
    threads: int = 0,
    progress: Progress = None,
    **variables: Any,
) -> Leads:
    """Finds the best opening lead: deals layouts that satisfy the condition and solves each for every lead.

    ``hand`` is that of the player to the left of declarer (South where the contract names none). At most ``deals``
    layouts are solved (1000 by default). With a ``precision`` such as ``"0.5%"``, ``"0.05 tricks"``, ``"0.2 imps"`` or
    ``"5 points"`` the study stops when the 95 % interval of every lead is that narrow on either side; ``deals`` then
    has no default. ``control`` is the number of layouts in all, of which only some are solved: the others make the
    intervals narrower (100,000 by default with a precision, otherwise none). ``sets_only`` finds only how often each
    lead beats the contract, which is several times faster. ``predeal`` are cards of the other seats.
    """
    contract = contract if isinstance(contract, Contract) else Contract(contract)
    leader = (contract.declarer or Seat.SOUTH).next
    if any(Seat(seat) is leader for seat in predeal or {}):
        raise ValueError(f"predeal has cards of {leader.name.lower()}, whose hand is given")
    whole = _croupier.whole_hand(hand)
    if sets_only and (precision is not None or control is not None):
        raise ValueError("sets_only solves all layouts: leave precision and control out")
    found = _layouts(
        condition,
        produce=_croupier.study_deals(deals, precision, control),
        generate=generate,
        seed=seed,
        threads=threads,
        predeal={**{Seat(seat): cards for seat, cards in (predeal or {}).items()}, leader: whole},
        **variables,
    )
    report = progress_callback(progress, len(found))
    rows, solved, screened = _croupier.study_leads(
        found.deals, contract, vulnerable, sets_only, deals, precision, control, threads, report
    )
    return Leads(contract, solved, rows, screened)


@dataclass(frozen=True)
class Playouts:
    """Shares of the layouts on which a contract makes: for a declarer who sees two hands, and double dummy."""

    #: Number of layouts that were played.
    layouts: int
    #: Share of the layouts on which a declarer who sees two hands makes the contract, 0 to 1.
    made: Measure
    #: Share of the layouts on which the contract makes double dummy, 0 to 1.
    double_dummy: Measure

    @staticmethod
    def of(row: _croupier.PlayoutRow | None) -> Playouts | None:
        """Creates the result from its row."""
        return None if row is None else Playouts(row[0], Measure(*row[1]), Measure(*row[2]))


@dataclass(frozen=True)
class ContractResult:
    """The result of a contract. Each number comes with the ends of its 95 % interval: (value, low, high)."""

    contract: Contract
    #: Tricks for its declarer.
    tricks: Measure
    #: Share of the deals on which the contract makes, 0 to 1.
    made: Measure
    #: The score for the side of the first contract.
    score: Measure
    #: IMPs per board against each contract.
    imps: list[Measure]
    #: Share of the matchpoints against each contract, 0 to 1.
    matchpoints: list[Measure]
    #: The result of a declarer who sees two hands, with ``single_dummy``.
    single_dummy: Playouts | None = None


class Contracts(StudyResults[ContractResult]):
    """Several contracts on the same deals, in the order in which they were given."""

    def __init__(
        self,
        deals: int,
        rows: Sequence[_croupier.ContractRow],
        screened: int | None = None,
        played: Sequence[Playouts | None] = (),
    ) -> None:
        """Creates the results of `croupier.compare`: ``deals`` were solved, ``screened`` were screened by short searches,
        and the contracts were ``played`` without sight of the defenders' cards.
        """
        self.deals = deals
        self.screened = deals if screened is None else screened
        self._results = [
            ContractResult(
                contract=row["contract"],
                tricks=Measure(*row["tricks"]),
                made=Measure(*row["made"]),
                score=Measure(*row["score"]),
                imps=[Measure(*it) for it in row["imps"]],
                matchpoints=[Measure(*it) for it in row["matchpoints"]],
                single_dummy=played[place] if played else None,
            )
            for place, row in enumerate(rows)
        ]

    @property
    def best(self) -> Contract:
        """The contract with the best average score."""
        return max(self._results, key=lambda it: it.score[0]).contract

    def _names(self) -> tuple[str, list[str], list[str]]:
        contracts = [it.contract for it in self._results]
        return "contract", [str(it) for it in contracts], [it._repr_html_() for it in contracts]

    def _estimates(self) -> dict[str, list[Measure]]:
        columns: dict[str, list[Measure]] = {
            name: [getattr(it, name) for it in self._results] for name in ("tricks", "made", "score")
        }
        for place, other in enumerate(self._results):
            columns[f"imps against {other.contract}"] = [it.imps[place] for it in self._results]
        played = [it.single_dummy for it in self._results]
        if played[0] is not None:
            columns["single_dummy"] = [it.made for it in played if it is not None]
        return columns

    def __repr__(self) -> str:
        best = max(self._results, key=lambda it: it.score[0])
        return f"<croupier.Contracts on {self.deals} deals, best {best.contract}, score {_text(best.score)}>"


#: Seed of the layouts that declarer expects in playouts.
_EXPECTED_LAYOUTS_SEED = 1


def compare(
    contracts: Sequence[Contract | str],
    condition: ScriptLike | None = None,
    *,
    given: DealsLike | None = None,
    deals: int | None = None,
    precision: str | None = None,
    control: int | None = None,
    generate: int | None = None,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    seed: int | str = 1,
    predeal: PredealLike | None = None,
    single_dummy: int | None = None,
    threads: int = 0,
    progress: Progress = None,
    **variables: Any,
) -> Contracts:
    """Compares contracts on the same deals: those of a condition, or ``given`` ones.

    ``deals``, ``precision`` and ``control`` are those of `lead`. ``given`` deals are solved in their order, all of them
    unless a precision is reached. The first ``single_dummy`` deals are also played by a declarer who does not see the
    defenders' cards, which takes some tenths of a second for each contract and deal.
    """
    if len(contracts) < 2 or isinstance(contracts, str):
        raise ValueError("give at least two contracts: compare(['3N', '4S'], ...)")
    if (condition is None) == (given is None):
        raise ValueError("give a condition or given= deals, one of them")
    dealt = condition is not None
    check_count("threads", threads)
    if single_dummy is not None:
        check_count("single_dummy", single_dummy, 1)
    if condition is not None:
        given = _layouts(
            condition,
            produce=_croupier.study_deals(deals, precision, control),
            generate=generate,
            seed=seed,
            threads=threads,
            predeal=predeal,
            **variables,
        ).deals
    assert given is not None
    many = given if isinstance(given, Deals) else Deals(given)
    if not len(many):
        raise _croupier.DealError("there are no given deals")
    report = progress_callback(progress, len(many))
    rows, solved, screened = _croupier.study_contracts(
        many, list(contracts), vulnerable, dealt, deals, precision, control, threads, report
    )
    played: list[Playouts | None] = []
    if single_dummy is not None:
        script = None if condition is None else read_script(condition, **variables)
        for contract in contracts:
            row = _croupier.play_contract(contract, many[:single_dummy], script, _EXPECTED_LAYOUTS_SEED, threads)
            played.append(Playouts.of(row))
    return Contracts(solved, rows, screened, played)
