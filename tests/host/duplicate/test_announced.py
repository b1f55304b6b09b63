"""The announcement of deals: what it says, that no tile is in it, and what is refused by name."""

import json
import random
from pathlib import Path

import pytest

from tests.host.tiles.test_secrecy import forms
from wallwright.duplicate.announced import MARK, announced, announced_record, read_announced
from wallwright.duplicate.deals import BREAK, OWN, BadDeals
from wallwright.duplicate.drawing import commitment, draw_deals
from wallwright.duplicate.json_form import deals_record
from wallwright.duplicate.sealed import seal
from wallwright.duplicate.text import write_text
from wallwright.rules.core.tiles import tile_name


def written(record: object) -> bytes:
    return json.dumps(record).encode()


@pytest.mark.parametrize(("ruleset", "draws"), [("mil-2025-duplicate", OWN), ("hong-kong", BREAK)])
def test_an_announcement_says_who_deals_and_what_was_committed_to_and_no_tile(
    seed: int, ruleset: str, draws: str
) -> None:
    deals = draw_deals("Spring pairs", ruleset, draws, 9, 2, random.Random(seed).randbytes)
    data = written(announced_record(announced(deals)))
    one = read_announced(data)
    assert one == announced(deals)
    assert (one.commitment, one.spares, one.dealers) == (commitment(deals), 2, (0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2))
    assert deals.seed is not None
    for secret in (deals.nonce, deals.seed, bytes(deals.deals[0].faces[:12])):
        assert not [form for form in forms(secret) if form in data]
    for deal in deals.deals:
        assert "".join(map(tile_name, deal.faces[:4])).encode() not in data


def test_the_longest_session_fits_into_what_the_console_takes() -> None:
    deals = draw_deals("春" * 200, "mil-2025-duplicate", OWN, 900, 99)
    assert len(json.dumps(announced_record(announced(deals)), indent=1)) < 20_000


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("event", ""),
        ("event", 'the "day"'),
        ("event", 3),
        ("ruleset", "house"),
        ("ruleset", None),
        ("draw", "sky"),
        ("spares", 5),
        ("spares", -1),
        ("spares", True),
        ("dealers", [0, 1, 2, 4, 0]),
        ("dealers", []),
        ("dealers", [0] * 1000),
        ("dealers", [False]),
        ("dealers", "01230"),
        ("commitment", "ab"),
        ("commitment", "AB" * 32),
        ("tiles", "1m2m"),
    ],
)
def test_what_cannot_be_is_refused_by_its_key(key: str, value: object) -> None:
    record = announced_record(announced(draw_deals("day", "mil-2025-duplicate", OWN, 4, 1)))
    with pytest.raises(BadDeals, match=f"'{key}' cannot be"):
        read_announced(written({**record, key: value}))


def test_a_key_that_lacks_is_named() -> None:
    record = announced_record(announced(draw_deals("day", "mil-2025-duplicate", OWN, 4, 1)))
    for key in record:
        rest = {one: value for one, value in record.items() if one != key}
        with pytest.raises(BadDeals, match="is no announcement" if key == MARK else "cannot be"):
            read_announced(written(rest))


def test_a_file_of_the_deals_themselves_is_told_apart(tmp_path: Path) -> None:
    deals = draw_deals("day", "mil-2025-duplicate", OWN, 2)
    for data in (written(deals_record(deals)), write_text(deals).encode()):
        with pytest.raises(BadDeals, match="this file shows all tiles"):
            read_announced(data)
    seal(tmp_path / "a.deals", deals, "a long one for deals")
    with pytest.raises(BadDeals, match="these are the sealed deals"):
        read_announced((tmp_path / "a.deals").read_bytes())
    for data in (b"", b"[]", b"3", b"\xff", b"{", written({MARK: 2})):
        with pytest.raises(BadDeals, match="this is no announcement"):
            read_announced(data)
