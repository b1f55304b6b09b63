"""JSON files with a form: what fits is a struct, and what does not is one sentence that names the field."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from wallwright.system.json_file import fitted, read_form, read_form_file
from wallwright.system.strict_json import BadJson

Sum = Annotated[str, Meta(pattern=r"^[0-9a-f]{4}\Z", description="a sum of four digits")]


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    low: int
    high: Annotated[int, Meta(ge=0, le=9)] = 9

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


class Form(Struct, frozen=True, kw_only=True):
    rows: tuple[Row, ...]
    files: dict[Sum, Sum] = {}
    boxes: dict[str, dict[str, tuple[int, ...]]] = {}
    kind: Literal["a", "b"] = "a"
    pair: tuple[int, int] = (1, 2)
    share: float = 0.0
    other: Row | None = None
    either: str | int = ""
    count: Annotated[int, Meta(ge=3)] = 3


WRONG: dict[str, tuple[Any, str]] = {
    "no object": (5, "an object belongs there, and 5 stands there"),
    "nothing": ({}, "rows is missing"),
    "a list": ({"rows": "x"}, 'rows: a list belongs there, and "x" stands there'),
    "a row": ({"rows": [{"low": 1}, 5]}, "rows[1]: an object belongs there, and 5 stands there"),
    "a field of a row": ({"rows": [{"high": 1}]}, "rows[0].low is missing"),
    "a field too many": ({"rows": [{"low": 1, "lo": 2}]}, "there is no rows[0].lo; take it out"),
    "true for 1": ({"rows": [{"low": True}]}, "rows[0].low: a whole number belongs there, and true stands there"),
    "1.0 for 1": ({"rows": [{"low": 1.0}]}, "rows[0].low: a whole number belongs there, and 1.0 stands there"),
    "too large": (
        {"rows": [{"low": 1, "high": 10}]},
        "rows[0].high: a whole number from 0 to 9 belongs there, and 10 stands there",
    ),
    "too small": ({"rows": [], "count": 2}, "count: a whole number of 3 or more belongs there, and 2 stands there"),
    "a rule": ({"rows": [{"low": 9, "high": 1}]}, "rows[0]: low is above high"),
    "a value of many": (
        {"rows": [], "files": {"0000": "0000", "1111": "1111", "2222": "x", "3333": "y"}},
        'files["2222"]: a sum of four digits belongs there, and "x" stands there',
    ),
    "a line end": (
        {"rows": [], "files": {"0000": "0000\n"}},
        'files["0000"]: a sum of four digits belongs there, and "0000\\n" stands there',
    ),
    "a name of many": (
        {"rows": [], "files": {"0000": "0000", "x.y": "1111"}},
        'files["x.y"]: its name is not a sum of four digits',
    ),
    "within two": (
        {"rows": [], "boxes": {"a": {}, "b": {"c": [1]}, "d": {"e": [], "f": [1, "2"]}}},
        'boxes.d.f[1]: a whole number belongs there, and "2" stands there',
    ),
    "a choice": ({"rows": [], "kind": "c"}, 'kind: one of "a", "b" belongs there, and "c" stands there'),
    "a choice of another type": ({"rows": [], "kind": 1}, 'kind: one of "a", "b" belongs there, and 1 stands there'),
    "too few": ({"rows": [], "pair": [1]}, "pair: a list of 2 belongs there, and [1] stands there"),
    "one of two": ({"rows": [], "pair": [1, None]}, "pair[1]: a whole number belongs there, and null stands there"),
    "a number": ({"rows": [], "share": "1"}, 'share: a number belongs there, and "1" stands there'),
    "an object or none": ({"rows": [], "other": []}, "other: an object belongs there, and [] stands there"),
    "within one or none": (
        {"rows": [], "other": {"low": ""}},
        'other.low: a whole number belongs there, and "" stands there',
    ),
    "neither": ({"rows": [], "either": None}, "either: a text or a whole number belongs there, and null stands there"),
    "long": ({"rows": "x" * 99}, f'rows: a list belongs there, and "{"x" * 59}… stands there'),
    "control characters": ({"rows": "\x1b\x9b"}, 'rows: a list belongs there, and "\\u001b\\u009b" stands there'),
}  # fmt: skip


@pytest.mark.parametrize(("value", "why"), WRONG.values(), ids=WRONG)
def test_what_does_not_fit_is_named_with_its_place(value: Any, why: str) -> None:
    with pytest.raises(BadJson) as refused:
        fitted(value, Form)
    assert str(refused.value) == why


def test_what_fits_is_a_struct_from_text_bytes_or_file(tmp_path: Path) -> None:
    value = {"rows": [{"low": 1}], "share": 2, "other": None, "from a newer version": {}, "either": 5}
    found = Form(rows=(Row(1),), share=2.0, either=5)
    (tmp_path / "file.json").write_text("\ufeff" + json.dumps(value), encoding="utf-8")
    assert read_form_file(tmp_path / "file.json", Form) == found
    assert read_form(json.dumps(value), Form) == read_form(json.dumps(value).encode(), Form) == found


def test_what_no_json_can_be_is_refused_before_the_form() -> None:
    with pytest.raises(BadJson, match="given twice"):
        read_form('{"rows": [], "rows": []}', Form)
    with pytest.raises(BadJson, match="NaN"):
        read_form('{"rows": [], "share": NaN}', Form)
