"""Every text of every kind of record has a rule, and every one of them is held to it."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

import pytest

from wallwright.journal.kinds import KINDS, Record, Unknown, read_record
from wallwright.journal.kinds.fields import Part, PartType, Plain, bare, fields_of, options_of
from wallwright.journal.kinds.texts import CODE_LIMIT, IN_OBJECTS, Text, rules_in, text_problem


def parts_of(cls: Any) -> Iterator[type[Part]]:
    """The class, and those of all parts within it."""
    yield cls
    for one in fields_of(cls):
        yield from parts_in(one.hint)


def parts_in(hint: Any) -> Iterator[type[Part]]:
    hint = bare(hint)
    if isinstance(hint, PartType):
        yield from parts_of(hint)
    for one in get_args(hint):
        if one is not ...:
            yield from parts_in(one)


def example(hint: Any) -> Any:
    """A value of JSON of a type, with a text wherever one can be."""
    hint = next(one for one in map(bare, options_of(bare(hint))) if one is not type(None))
    if hint is int:
        return 1
    if hint is bool:
        return True
    if hint is str:
        return "a"
    if hint == Plain:
        return {"k": ["a"]}
    if isinstance(hint, PartType):
        return {one.key: example(one.hint) for one in fields_of(hint)}
    inner = get_args(hint)
    if get_origin(hint) is tuple:
        return [example(one) for one in inner if one is not ...]
    assert get_origin(hint) is Mapping, hint
    return {"k": example(inner[1])}


def hostile(value: Any, place: str, text: str) -> Iterator[tuple[str, Any]]:
    """The value with another text in the place of one of its texts, each in turn, with that one's place."""
    if isinstance(value, str):
        yield place, text
    elif isinstance(value, dict):
        for key, one in value.items():
            if key == "k":
                yield f"{place}.a field's name", {text: one}
            for where, changed in hostile(one, f"{place}.{key}", text):
                yield where, value | {key: changed}
    elif isinstance(value, list):
        for number, one in enumerate(value):
            for where, changed in hostile(one, f"{place}.{number}", text):
                yield where, [*value[:number], changed, *value[number + 1 :]]


def body_of(cls: type[Record]) -> dict[str, Any]:
    body = {one.key: example(one.hint) for one in fields_of(cls) if not one.is_rest}
    if not cls.IS_EVENT:
        rest = next((one for one in fields_of(cls) if one.is_rest), None)
        return body if rest is None else body | {"rest": "a"}
    head = {key: body.pop(key) for key in ("time_ms", "lost")}
    return {"fields": body, **head}


@pytest.mark.parametrize("name", KINDS)
def test_every_text_has_a_rule_and_is_held_to_it(name: str) -> None:
    cls = KINDS[name]
    for part in parts_of(cls):
        for one in fields_of(part):
            assert None not in rules_in(one.full), f"{part.__name__}.{one.name}: say its rule (kinds.texts)"
    body = body_of(cls)
    good = read_record(name, body)
    assert not isinstance(good, Unknown), good
    assert text_problem(good) is None
    for text, why in (("a\x1b]0;x\x07", "ESCAPE"), ("a\nb", "line"), ("a" * (CODE_LIMIT + 1), "100001")):
        for where, changed in hostile(body, "", text):
            said = read_record(name, changed)
            assert not isinstance(said, Unknown), said
            problem = str(text_problem(said))
            if why == "line" and problem == "None":
                rules = [
                    rule for one in fields_of(cls) if one.key == where.split(".")[-1] for rule in rules_in(one.full)
                ]
                assert [rule.has_lines for rule in rules if rule] == [True], where
                continue
            place = where.removeprefix(".").removeprefix("fields." if cls.IS_EVENT else "")
            assert problem.startswith(f"{place}: "), (where, problem)
            assert why in problem, problem


def test_a_rule_says_what_it_refuses() -> None:
    name = Text(1, 4)
    assert [str(name.problem(text)) for text in ("Anna", "", " ", "Annae")] == [
        "None",
        "it is empty",
        "it is empty",
        "it has 5 characters, and may have 4 at the most",
    ]
    assert IN_OBJECTS.problem("") is None
