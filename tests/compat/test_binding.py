"""A host and a board of two releases: what both know arrives, by its name, and nothing else stops anything.

The other release packs and reads here by its own dictionary, with names that it looks up in the text of that.
"""

import struct
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.compat.growth import OWN, grown
from tests.length import length
from wallwright.errors import BadMessage, NotOnBoard
from wallwright.link.binding import Binding, fields_of
from wallwright.link.numbers import name_of
from wallwright_protocol.codec import Layout
from wallwright_protocol.dictionary import Dictionary, Row, read_text
from wallwright_protocol.messages import EVENT, REPLY, REQUEST, STATUS
from wallwright_protocol.names import drives_of, inputs_of, lamps_of, named, readers_of

HEADINGS = {
    "state": "states",
    "fault": "faults",
    "key": "keys",
    "source": "sources",
    "setting": "settings",
    "setting_kind": "setting kinds",
    "setting_unit": "setting units",
    "record": "records",
    "measurement": "measurements",
    "test_result": "test results",
    "purpose": "purposes",
    "deal_kind": "deal kinds",
    "wall_mode": "wall modes",
    "plan_mode": "plan modes",
    "refusal": "refusals",
    "jog_end": "jog ends",
    "seal_loss": "seal losses",
    "carriers": "carriers",
    "sorter": "sorters",
}
BITS = {"inputs": inputs_of, "drives": drives_of, "sensed": drives_of, "lamps": lamps_of, "readers": readers_of}
ONES = {"input": inputs_of, "drive": drives_of, "reader": readers_of, "from": readers_of, "to": readers_of}


def names_of(dictionary: Dictionary, field: str) -> tuple[str, ...]:
    """The names that the numbers or the bits of a field have there, none for a field of plain numbers."""
    if field in HEADINGS:
        return named(HEADINGS[field], dictionary.lists)
    found = BITS.get(field) or ONES.get(field)
    return () if found is None else found(dictionary.lists)


def meaning(dictionary: Dictionary, field: str, many: bool, value: Any, *, message: str) -> Any:
    """A value in words: names, sets of names, or itself."""
    if field == "message":
        return {row[0]: row[1] for row in dictionary.rows if row[2] == REQUEST}.get(value, value)
    if many or not names_of(dictionary, field):
        return value
    names = names_of(dictionary, field)
    if field in BITS:
        mask = int.from_bytes(value, "little") if isinstance(value, bytes) else value
        return {names[bit] for bit in range(len(names)) if mask >> bit & 1}
    return names[value] if value < len(names) else value


def filled(row: Row, dictionary: Dictionary, data: st.DataObject) -> list[Any]:
    """Values for a row, numbers with names among those that there are."""
    values: list[Any] = []
    for field in fields_of(row):
        names = names_of(dictionary, field.name)
        most = (1 << 8 * struct.calcsize("<" + field.item)) - 1
        if field.name == "message":
            ids = [one[0] for one in dictionary.rows if one[2] == REQUEST]
            values += [data.draw(st.sampled_from(ids))] * field.values
        elif field.item.endswith("s"):
            size = struct.calcsize("<" + field.item)
            mask = data.draw(st.integers(0, (1 << min(len(names), 8 * size)) - 1)) if names else None
            values.append(
                data.draw(st.binary(min_size=size, max_size=size)) if mask is None else mask.to_bytes(size, "little")
            )
        elif field.name in BITS and names and not field.many:
            values.append(data.draw(st.integers(0, min(most, (1 << len(names)) - 1))))
        else:
            top = len(names) - 1 if names and (not field.many or field.name in HEADINGS) else most
            values += [data.draw(st.integers(0, max(0, top))) for _ in range(field.values)]
    return values


@settings(max_examples=length(2_000, 10_000), deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_what_both_know_arrives_by_its_name(seed: int, data: st.DataObject) -> None:
    board = read_text(grown(Random(seed).randrange).text)
    binding = Binding(board)
    theirs = data.draw(st.sampled_from(board.rows))
    mine = OWN.row(theirs[1], theirs[2])
    if theirs[2] == REQUEST:
        check_request(binding, board, data)
        return
    values = filled(theirs, board, data)
    told = binding.told(theirs[2], theirs[0], struct.pack(theirs[3], *values))
    assert told is not None
    assert told.name == theirs[1]
    if mine is None:
        assert (told.number, told.payload) == (None, struct.pack(theirs[3], *values))
        return
    assert told.number == mine[0]
    assert told.payload is not None
    read = Layout(mine).unpack_named(told.payload)
    sent = Layout(theirs).unpack_named(struct.pack(theirs[3], *values))
    for field in fields_of(mine):
        if field.name in sent and field.many and field.name in HEADINGS:
            for one, other in zip(sent[field.name], read[field.name], strict=True):
                check_value(board, field.name, False, one, other, theirs[1])
        elif field.name in sent and not (field.many and field.name in ("inputs", "outputs", "edges")):
            check_value(board, field.name, field.many, sent[field.name], read[field.name], theirs[1])


def check_value(board: Dictionary, field: str, many: bool, sent: Any, read: Any, message: str) -> None:
    said = meaning(board, field, many, sent, message=message)
    if field in BITS and not many:
        # A name that this program has not got has a bit here only while there is one left.
        known = set(names_of(OWN, field))
        assert {name for name in said if name in known} == {
            name for name in meaning(OWN, field, many, read, message=message) if name in known
        }
    elif field in HEADINGS or field in ONES or field == "message":
        found = name_of(field, read) if field not in ONES else meaning(OWN, field, many, read, message=message)
        is_known = said in names_of(OWN, field) or said in {row[1] for row in OWN.rows if row[2] == REQUEST}
        assert found == said if is_known else found not in names_of(OWN, field)
    else:
        assert said == read


def check_request(binding: Binding, board: Dictionary, data: st.DataObject) -> None:
    """A request of this program's arrives as it was meant, or is refused by the name of what the board lacks."""
    mine = data.draw(st.sampled_from([row for row in OWN.rows if row[2] == REQUEST]))
    values = filled(mine, OWN, data)
    named_values = Layout(mine).unpack_named(struct.pack(mine[3], *values)) if mine[3] else {}
    theirs = board.row(mine[1], REQUEST)
    said = {
        field.name: meaning(OWN, field.name, field.many, named_values[field.name], message=mine[1])
        for field in fields_of(mine)
    }
    lacks = (
        {mine[1]}
        if theirs is None
        else {one for field, one in said.items() if isinstance(one, str) and one not in names_of(board, field)}
    )
    if lacks:
        with pytest.raises(NotOnBoard) as caught:
            binding.request(mine[1], values)
        assert caught.value.lacks in lacks
        return
    number, payload = binding.request(mine[1], values)
    assert theirs is not None
    assert number == theirs[0]
    arrived = Layout(theirs).unpack_named(payload)
    for field in fields_of(theirs):
        if field.name not in named_values:
            assert (
                not any(arrived[field.name])
                if field.many
                else not arrived[field.name] or arrived[field.name] == bytes(8)
            )
        elif not (field.many and field.name in ("inputs", "outputs")):
            assert meaning(board, field.name, field.many, arrived[field.name], message=mine[1]) == meaning(
                OWN, field.name, field.many, named_values[field.name], message=mine[1]
            )


def of(direction: str, name: str, changed: Row | None) -> Binding:
    """Bind a board that has this row in place of ours, or none."""
    rows = [row for row in OWN.rows if (row[1], row[2]) != (name, direction)] + ([] if changed is None else [changed])
    return Binding(Dictionary(rows, OWN.lists))


def test_a_field_that_the_board_lacks_is_left_out_while_it_says_nothing() -> None:
    binding = of(REQUEST, "set_plan", (0x12, "set_plan", REQUEST, "<4BBB", ("plan[4]", "dealer", "plan_mode")))
    assert binding.request("set_plan", (14, 13, 14, 13, 2, 1, 0)) == (0x12, bytes((14, 13, 14, 13, 2, 1)))
    with pytest.raises(NotOnBoard, match="has no wash_s of set_plan, so that set_plan was not sent: update it"):
        binding.request("set_plan", (14, 13, 14, 13, 2, 1, 60))
    assert binding.lacks() == ("wash_s of set_plan",)


def test_another_layout_is_another_message() -> None:
    changed = (0x42, "command_accepted", EVENT, "<HB", ("message", "source"))
    told = of(EVENT, "command_accepted", changed).told(EVENT, 0x42, b"\1\0\2")
    assert told is not None
    assert (told.name, told.number) == ("command_accepted", None)
    binding = of(REPLY, "get_sorter", (0x25, "get_sorter", REPLY, "<I", ("sorters",)))
    with pytest.raises(NotOnBoard, match="has no answer to get_sorter"):
        binding.reply("get_sorter", bytes(4))


def test_a_payload_that_does_not_fit_the_boards_own_layout_cannot_be_read() -> None:
    longer = (0x41, "state_changed", EVENT, "<BB", ("state", "why"))
    binding = of(EVENT, "state_changed", longer)
    told = binding.told(EVENT, 0x41, b"\1")
    assert told is not None
    assert (told.number, told.payload) == (0x41, None)  # though it would fit ours
    grows = of(
        REPLY, "get_info", (0x10, "get_info", REPLY, "<16s3BHBB", ("unit", "firmware[3]", "tiles", "sets", "more"))
    )
    with pytest.raises(BadMessage):
        grows.reply("get_info", bytes(22))
    assert grows.knows_more() == ("more of get_info",)
    assert grows.reply("get_info", bytes(range(23))) == bytes(range(22))
    assert of(STATUS, "status", None).told(STATUS, 0x60, b"") is None
