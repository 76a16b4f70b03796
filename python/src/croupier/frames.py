"""Conversion of columns to data frames of Polars, pandas or PyArrow."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, Literal, Union, overload

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._croupier import Columns

    #: A data frame of one of the three libraries.
    Frame = Union[polars.DataFrame, pandas.DataFrame, pyarrow.Table]

__all__ = ["FrameKind", "to_frame"]

FrameKind = Literal["polars", "pandas", "pyarrow"]


@overload
def to_frame(columns: Columns, kind: Literal["polars"]) -> polars.DataFrame: ...
@overload
def to_frame(columns: Columns, kind: Literal["pandas"]) -> pandas.DataFrame: ...
@overload
def to_frame(columns: Columns, kind: Literal["pyarrow"]) -> pyarrow.Table: ...
@overload
def to_frame(columns: Columns, kind: FrameKind | None = None) -> Frame: ...


def to_frame(columns: Columns, kind: FrameKind | None = None) -> Frame:
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
    frame: Frame
    if kind == "polars":
        frame = library.DataFrame(columns)
    elif kind == "pyarrow":
        frame = library.table(columns)
    elif hasattr(library.DataFrame, "from_arrow"):
        frame = library.DataFrame.from_arrow(columns)
    else:
        frame = library.DataFrame({name: columns[name] for name in columns.names})
    return frame
