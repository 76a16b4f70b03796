"""Fixtures and deals for several tests."""

from __future__ import annotations

import pytest

import croupier

#: A deal from the documentation of the formats, and its parts.
DEAL = "N:AKJ.KQJ.A9873.Q9 QT.T75.QT6.JT843 98642.842.52.652 753.A963.KJ4.AK7"


@pytest.fixture
def deal() -> croupier.Deal:
    return croupier.Deal(DEAL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests that need heavy packages")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="runs with --long"))
