"""What a board's message table lacks is found by its hash; what cannot be told is not guessed."""

import re

import pytest

from wallwright.link.catalog import lacking
from wallwright_protocol.lists import LISTS
from wallwright_protocol.messages import CATALOG_HASH, MESSAGES, catalog_hash


def test_every_field_has_one_item_of_the_format_to_itself() -> None:
    for row in MESSAGES:
        assert len(re.findall(r"\d*[A-Za-z]", row[3])) == len(row[4]), row


@pytest.mark.parametrize("name", dict.fromkeys(row[1] for row in MESSAGES))
def test_a_message_that_the_board_lacks_is_named(name: str) -> None:
    older = tuple(row for row in MESSAGES if row[1] != name)
    assert lacking(catalog_hash(older)) == f"the message {name}"


def test_a_field_that_the_board_lacks_is_named() -> None:
    older = tuple(
        (*row[:3], "<4BBB", ("plan[4]", "dealer", "plan_mode")) if row[1] == "set_plan" and row[4] else row
        for row in MESSAGES
    )
    assert lacking(catalog_hash(older)) == "the field wash_s of set_plan"
    older = tuple(
        (*row[:3], "<16s3BB", (*row[4][:2], "sets")) if row[1] == "get_info" and row[4] else row for row in MESSAGES
    )
    assert lacking(catalog_hash(older)) == "the field tiles of get_info"


def test_a_field_of_the_status_is_one_though_two_messages_carry_it() -> None:
    older = tuple(
        (*row[:3], row[3].removesuffix("B"), row[4][:-1]) if row[4][-1:] == ("unchecked",) else row for row in MESSAGES
    )
    assert sum(one != other for one, other in zip(older, MESSAGES, strict=True)) == 2
    assert lacking(catalog_hash(older)) == "the field unchecked of get_status and status"


def test_what_is_not_one_thing_less_is_not_named() -> None:
    longer = (*MESSAGES, (0x7F, "sing", "request", "", ()))
    assert lacking(catalog_hash(longer)) == ""
    assert lacking(catalog_hash(MESSAGES[2:])) != lacking(catalog_hash(MESSAGES[4:])) == ""
    assert lacking(CATALOG_HASH) == ""


def test_no_two_shorter_tables_have_one_hash() -> None:
    hashes = [
        catalog_hash(tuple((*row[:4], row[4][:at] + row[4][at + 1 :]) if row is changed else row for row in MESSAGES))
        for changed in MESSAGES
        for at in range(len(changed[4]))
    ]
    assert len(set(hashes)) == len(hashes)


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(LISTS)), ids=lambda at: LISTS[at][0])
def test_the_last_numbers_of_a_list_that_the_board_lacks_are_named(at: int) -> None:
    heading, first, names = LISTS[at]
    for kept in range(len(names)):
        older = (*LISTS[:at], (heading, first, names[:kept]), *LISTS[at + 1 :])
        assert lacking(catalog_hash(lists=older)) == f"{', '.join(names[kept:])} among the {heading}"
