"""Checks of bidding systems that are written as files of rules."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, overload

from . import _croupier
from .dealing import check_count, progress_callback
from .studies import Measure
from .values import Vulnerability

if TYPE_CHECKING:
    from .dealing import Progress

__all__ = [
    "CallChange", "ChangedPoint", "RuleOverlap", "RuleShare", "SystemChanges", "SystemPoint", "SystemReport", "UnusedRule",
    "check_system",
]


@dataclass(frozen=True)
class RuleShare:
    """How often a rule makes its call at a point of the auction."""

    #: Line of the rule in the file.
    line: int
    call: str
    #: Meaning of the call: the text of the rule, or its condition.
    text: str
    #: Share of the hands that make the call by this rule. The interval of a counted share has no width.
    share: Measure


@dataclass(frozen=True)
class RuleOverlap:
    """Two rules with different calls that some hands satisfy both. The first one makes the call."""

    #: Lines of the rules in the file.
    lines: tuple[int, int]
    calls: tuple[str, str]
    share: Measure
    #: Examples of such hands.
    examples: list[str]


@dataclass(frozen=True)
class SystemPoint:
    """A point of the auction at which a system has rules."""

    #: The calls so far, joined by hyphens; empty for the opening.
    auction: str
    #: Share of all deals that reach the point if all players use the system.
    reached: Measure
    rules: list[RuleShare]
    #: Share of the hands that satisfy no rule, and pass.
    gap: Measure
    #: Examples of such hands.
    gap_examples: list[str]
    overlaps: list[RuleOverlap]


@dataclass(frozen=True)
class UnusedRule:
    """A rule that makes no call."""

    line: int
    #: The auction before the call, and the call.
    calls: str
    #: Whether this is proved. Otherwise no dealt hand came to the rule.
    is_certain: bool


class _Report:
    """A report as text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._text)}</pre>"


class SystemReport(_Report):
    """The result of a check: how often each rule makes its call, gaps, overlaps, and rules that make no call."""

    def __init__(self, data: dict[str, Any], text: str, html: str) -> None:
        """Creates the result of `check_system`."""
        super().__init__(text)
        self._html = html
        self.name: str = data["name"]
        #: The points of the auction, shorter auctions first.
        self.points = [_point(it) for it in data["points"]]
        #: Rules that make no call.
        self.unused = [UnusedRule(it["line"], it["calls"], it["is_certain"]) for it in data["unreachable"]]
        #: Whether the check covers all points of the auction.
        self.complete = not data["is_cut_short"]

    @property
    def gaps(self) -> list[SystemPoint]:
        """The points at which hands satisfy no rule."""
        return [point for point in self.points if point.gap.value > 0]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as a page for a browser."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._html)

    def __repr__(self) -> str:
        overlaps = sum(len(point.overlaps) for point in self.points)
        return (
            f"<croupier.SystemReport {self.name!r}: {len(self.points)} points, {len(self.gaps)} with gaps,"
            f" {overlaps} overlaps, {len(self.unused)} unused rules>"
        )


@dataclass(frozen=True)
class CallChange:
    """Hands that make another call by the second version of a system."""

    before: str
    #: The call of the second version; None if it has no rules here.
    after: str | None
    #: Share of the hands at this point.
    share: Measure
    examples: list[str]


@dataclass(frozen=True)
class ChangedPoint:
    """A point of the auction at which two versions of a system differ."""

    auction: str
    #: Share of the hands that make another call.
    share: Measure
    changes: list[CallChange]


class SystemChanges(_Report):
    """The differences between two versions of a system."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        """Creates the result of `check_system` with another version."""
        super().__init__(text)
        #: Number of points of the auction that were compared.
        self.compared: int = data["compared"]
        self.points = [
            ChangedPoint(point["auction"], _share(point["share"]), [_change(it) for it in point["changes"]])
            for point in data["points"]
        ]

    def __repr__(self) -> str:
        return f"<croupier.SystemChanges: {len(self.points)} of {self.compared} points>"


def _share(data: dict[str, float]) -> Measure:
    return Measure(data["value"], data["low"], data["high"])


def _change(data: dict[str, Any]) -> CallChange:
    return CallChange(data["from"], data["to"], _share(data["share"]), data["examples"])


def _point(data: dict[str, Any]) -> SystemPoint:
    rules = [RuleShare(it["line"], it["call"], it["text"], _share(it["share"])) for it in data["rules"]]
    lines = {it["rule"]: it["line"] for it in data["rules"]}
    overlaps = [
        RuleOverlap((lines[it["first"]], lines[it["second"]]), tuple(it["calls"]), _share(it["share"]), it["examples"])
        for it in data["overlaps"]
    ]
    return SystemPoint(
        data["auction"], _share(data["reached"]), rules, _share(data["gap"]), data["gap_examples"], overlaps
    )


@overload
def check_system(
    path: str | os.PathLike[str],
    other: None = None,
    *,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    deals: int = 20_000,
    seed: int = 1,
    count_seconds: float = 2.0,
    examples: int = 3,
    points: int = 500,
    threads: int = 0,
    progress: Progress = None,
) -> SystemReport: ...
@overload
def check_system(
    path: str | os.PathLike[str],
    other: str | os.PathLike[str],
    *,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    deals: int = 20_000,
    seed: int = 1,
    count_seconds: float = 2.0,
    examples: int = 3,
    points: int = 500,
    threads: int = 0,
    progress: Progress = None,
) -> SystemChanges: ...


def check_system(
    path: str | os.PathLike[str],
    other: str | os.PathLike[str] | None = None,
    *,
    vulnerable: Vulnerability | str = Vulnerability.NONE,
    deals: int = 20_000,
    seed: int = 1,
    count_seconds: float = 2.0,
    examples: int = 3,
    points: int = 500,
    threads: int = 0,
    progress: Progress = None,
) -> SystemReport | SystemChanges:
    """Checks a file of bidding rules at every point of the auction that the rules lead to.

    The report has the share of every rule, hands that fit no rule (gaps), hands that fit several (overlaps) and rules that
    make no call. Shares are exact where they can be counted in ``count_seconds`` seconds (estimated), else from ``deals`` deals.
    With an ``other`` version of the file, the result shows where the two make different calls.
    """
    report = progress_callback(progress, points)
    data, text, html = _croupier.check_system(
        os.fspath(path), None if other is None else os.fspath(other), vulnerable, check_count("deals", deals, 1), seed,
        count_seconds, check_count("examples", examples), check_count("points", points, 1), check_count("threads", threads), report,
    )
    if html is None:
        return SystemChanges(json.loads(data), text)
    return SystemReport(json.loads(data), text, html)
