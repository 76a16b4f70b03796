"""Conversion of columns to data frames of Polars, pandas or PyArrow."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, Literal

FrameKind = Literal["polars", "pandas", "pyarrow"]


def to_frame(columns: Any, kind: FrameKind | None = None) -> Any:
    """Returns a data frame of the named library, or of the first of Polars, pandas and PyArrow that is installed."""
    kinds: tuple[FrameKind, ...] = ("polars", "pandas", "pyarrow")
    if kind is None:
        for name in kinds:
            if importlib.util.find_spec(name) is not None:
                kind = name
                break
        else:
            raise ModuleNotFoundError("a data frame needs polars, pandas or pyarrow: install one of them")
    if kind not in kinds:
        raise ValueError(f"{kind!r} is not a kind of data frame: {', '.join(kinds)}")
    library: Any = importlib.import_module(kind)
    if kind == "polars":
        return library.DataFrame(columns)
    if kind == "pyarrow":
        return library.table(columns)
    if hasattr(library.DataFrame, "from_arrow"):
        return library.DataFrame.from_arrow(columns)
    return library.DataFrame({name: columns[name] for name in columns.names})
