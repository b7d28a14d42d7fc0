"""The value of a cell with `:table:`: a list of rows, each a dictionary with the same keys."""

import ast
from collections.abc import Iterable
from typing import Any

Row = dict[str, str | int | float | bool | None]
"""One row of a table, by the names of its columns."""

_VALUES = str | int | float | bool | None


class TableError(Exception):
    """The value of a cell is no table; the text says why."""


def rows_of(outputs: Iterable[Any]) -> list[Row]:
    """Returns the rows that a cell gave, read from the text of its value. Raises TableError."""
    texts = [output.data["text/plain"] for output in outputs if output.output_type == "execute_result"]
    if not texts:
        raise TableError("the cell names a table, and has no value: end it with the list of rows")
    return read_rows(texts[0])


def read_rows(text: str) -> list[Row]:
    """Returns the rows that `text`, a value as IPython prints it, stands for. Raises TableError."""
    try:
        rows = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise TableError("the value is no list of dictionaries with text, numbers, True, False or None") from None
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) and row for row in rows):
        raise TableError("the value is no list of dictionaries, or it is empty")
    for number, row in enumerate(rows, 1):
        if list(row) != list(rows[0]):
            raise TableError(f"row {number} has the columns {list(row)}, and the first row {list(rows[0])}")
        for name, value in row.items():
            if not isinstance(name, str) or not isinstance(value, _VALUES):
                raise TableError(f"row {number}, column {name!r}: {value!r} is neither text nor a number")
    return rows
