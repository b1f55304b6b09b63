"""Every text in a request's body is folded, or refused with its character and place, whoever adds a field."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest
from fastapi.routing import APIRoute
from pydantic import BaseModel

from tests.host.console.hall import PASSWORD, Place, routes
from tests.host.console.test_access import VALUES
from wallwright.console.person_fields import PersonLines, PersonText

MACHINES = {
    "password", "old", "new",  # as they are typed: what somebody cannot see is part of it
    "token", "pin", "code", "announcement", "deals", "data", "record", "amount",  # made by programs, or of digits
    "PlayersFile.text", "NewPlayers.text",  # a whole list, which `player_lists` reads
    "checkpoint", "commitment", "encoding", "sheet", "csrf", "signature", "root",
}  # fmt: skip
"""Fields of texts that no person writes as a name or a sentence, by name, or by class and name."""
FOLDS = {id(one) for kind in (PersonText, PersonLines) for one in get_args(kind)[1:]}


def models(place: Place) -> Iterator[tuple[APIRoute, type[BaseModel]]]:
    """Every endpoint that takes a body, with its class."""
    for route in routes(place):
        if route.body_field is not None:
            for one in options(route.body_field.field_info.annotation):
                if isinstance(one, type) and issubclass(one, BaseModel):
                    yield route, one


def options(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Annotated:
        return options(get_args(hint)[0])
    inner = get_args(hint)
    return tuple(each for one in inner for each in options(one)) if inner else (hint,)


def texts(model: type[BaseModel]) -> Iterator[tuple[str, bool]]:
    """The fields of a body that are texts, and whether they are folded."""
    for name, field in model.model_fields.items():
        if str in options(field.annotation):
            said = [*field.metadata, *(one for hint in get_args(field.annotation) for one in get_args(hint))]
            yield name, any(id(one) in FOLDS for one in said)


def test_every_text_of_a_body_is_folded_or_is_of_a_machine(place: Place) -> None:
    folded = set()
    for route, model in models(place):
        for name, is_folded in texts(model):
            is_machine = name in MACHINES or f"{model.__name__}.{name}" in MACHINES
            assert is_folded != is_machine, f"{route.path}: {model.__name__}.{name}"
            if is_folded:
                folded.add(name)
    assert folded >= {"name", "club", "reason", "player", "into", "of", "text", "ruling", "words", "unit", "source"}


@pytest.mark.parametrize(
    "odd",
    [
        ("a\x1b", "character 2 is ESCAPE (U+001B)"),
        ("\u3000a \u202eb", "character 3 is RIGHT-TO-LEFT OVERRIDE (U+202E)"),
    ],
)
def test_what_cannot_be_in_a_text_is_refused_by_field_character_and_place(place: Place, odd: tuple[str, str]) -> None:
    dan, (text, said), tried = place.signed_in("director"), odd, 0
    before = len(place.fleet.records)
    for number, (route, model) in enumerate(models(place)):
        for name, is_folded in texts(model):
            if not is_folded:
                continue
            method = next(iter(route.methods or ()))
            answer = dan.request(
                method,
                route.path.format(**VALUES),
                json={name: text},
                headers={"Idempotency-Key": f"odd-{number}-{name}"},
            )
            assert answer.status_code == 422, (route.path, name, answer.text)
            assert f"{name}: {said}, which cannot be in a text; leave it out" in answer.json()["problem"], answer.text
            tried += 1
    assert tried > 25
    assert len(place.fleet.records) == before


def test_a_name_is_stored_folded_and_signs_in_however_it_is_typed(place: Place, tmp_path: Path) -> None:
    dan = place.signed_in("director")
    made = dan.post("/api/v1/accounts", json={"name": " Zoe\u0308\u00a0\u3000Lee", "role": "scorer"})
    assert made.json()["name"] == "Zoë Lee"
    place.accounts.set_password("Zoë Lee", PASSWORD)
    for typed in ("zoë lee", "ＺＯＥ\u0308 LEE\u200b"):
        told = place.client().post("/api/v1/session", json={"name": typed, "password": PASSWORD})
        assert (told.status_code, told.json().get("name")) == (200, "Zoë Lee"), told.text
