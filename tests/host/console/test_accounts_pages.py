"""Accounts through the API: who makes them, who hands them over, who changes a password; nothing secret is kept."""

import sqlite3
from typing import Any

from starlette.testclient import TestClient

from tests.host.console.hall import PASSWORD, Place

NEW = "quite another one"


def post(client: TestClient, path: str, **body: Any) -> tuple[int, dict]:
    answer = client.post(f"/api/v1/{path}", json=body)
    return answer.status_code, answer.json()


def test_the_director_makes_an_account_and_its_person_chooses_the_password(place: Place) -> None:
    dan, ann = place.signed_in("director", "dan"), place.client()
    status, link = post(dan, "accounts", name="ann", role="scorer")
    assert status == 200
    assert "not taken over yet" in dan.get("/accounts").text
    assert dan.get(f"{link['path']}/qr.svg").text.startswith("<?xml")
    assert ann.get(f"{link['path']}/qr.svg").status_code == 303, "the code is for the director to show"
    assert "ann</bdi></b> · Scorer" in ann.get(link["path"]).text
    token = link["path"].removeprefix("/welcome/")
    assert post(ann, "welcome", token=token, password="short")[0] == 422
    status, session = post(ann, "welcome", token=token, password=NEW)
    assert (status, session["name"], session["role"]) == (200, "ann", "scorer")
    assert ann.get("/").status_code == 200
    assert post(place.client(), "welcome", token=token, password=PASSWORD)[0] == 422
    assert "used or is too old" in place.client().get(link["path"]).text
    assert "not taken over yet" not in dan.get("/accounts").text


def test_a_reset_ends_password_sessions_and_older_links(place: Place) -> None:
    dan, ann = place.signed_in("director", "dan"), place.signed_in("scorer", "ann")
    first = post(dan, "accounts/hand-over", name="ann")[1]["path"]
    assert ann.get("/").status_code == 303
    assert post(place.client(), "session", name="ann", password=PASSWORD)[0] == 401
    second = post(dan, "accounts/hand-over", name="ann")[1]["path"]
    assert "too old" in place.client().get(first).text
    assert "ann</bdi>" in place.client().get(second).text
    place.clock.now_ms += 24 * 3_600_000
    assert "too old" in place.client().get(second).text


def test_the_last_director_stays(place: Place) -> None:
    dan = place.signed_in("director", "dan")
    for path, body in (("accounts/remove", {}), ("accounts/role", {"role": "scorer"}), ("accounts/hand-over", {})):
        status, told = post(dan, path, name="dan", **body)
        assert (status, "only director who can sign in" in told["problem"]) == (422, True)
    eve = post(dan, "accounts", name="eve", role="director")[1]["path"]
    assert post(dan, "accounts/remove", name="dan")[0] == 422, "nobody has taken that account over"
    assert post(place.client(), "welcome", token=eve.removeprefix("/welcome/"), password=NEW)[0] == 200
    assert post(dan, "accounts/role", name="dan", role="scorer")[0] == 200
    assert dan.get("/accounts").status_code == 403


def test_everybody_changes_their_own_password_who_knows_it(place: Place) -> None:
    ann, other = place.signed_in("screen", "ann"), place.signed_in("screen", "ann")
    assert post(ann, "account/password", old="wrong one, sorry", new=NEW)[0] == 401
    assert post(ann, "account/password", old=PASSWORD, new="short")[0] == 422
    assert post(ann, "account/password", old=PASSWORD, new=NEW)[0] == 200
    assert ann.get("/").status_code == 200
    assert other.get("/").status_code == 303, "elsewhere one signs in again"
    assert post(place.client(), "session", name="ann", password=PASSWORD)[0] == 401
    assert post(place.client(), "session", name="ann", password=NEW)[0] == 200
    ann.headers["X-CSRF-Token"] = ann.get("/api/v1/session").json()["csrf"]
    for _ in range(5):
        assert post(ann, "account/password", old="wrong one, sorry", new=NEW)[0] == 401
    assert post(ann, "account/password", old=NEW, new=PASSWORD)[0] == 429


def test_what_was_done_is_noted_with_who_did_it_and_nothing_secret_is_kept(place: Place) -> None:
    dan = place.signed_in("director", "dan")
    path = post(dan, "accounts", name="ann", role="scorer")[1]["path"]
    post(place.client(), "welcome", token=path.removeprefix("/welcome/"), password=NEW)
    post(dan, "accounts/role", name="ann", role="referee")
    post(dan, "accounts/hand-over", name="ann")
    post(dan, "accounts/remove", name="ann")
    noted = [(act.body["person"], act.body["role"], act.body["act"]) for act in place.accounts.acts(100)]
    assert noted[2:] == [
        ("dan", "director", "add_account"),
        ("ann", "scorer", "take_over_account"),
        ("ann", "scorer", "sign_in"),
        ("dan", "director", "change_role"),
        ("dan", "director", "reset_account"),
        ("dan", "director", "remove_account"),
    ]
    kept = "\n".join(sqlite3.connect(place.file).iterdump())
    assert "argon2" in kept
    for secret in (NEW, PASSWORD, path.removeprefix("/welcome/")):
        assert secret not in kept


def test_a_page_of_another_site_changes_nothing(place: Place) -> None:
    dan = place.signed_in("director", "dan")
    token = dan.headers.pop("X-CSRF-Token")
    for path, body in (
        ("accounts", {"name": "eve", "role": "director"}),
        ("accounts/hand-over", {"name": "dan"}),
        ("account/password", {"old": PASSWORD, "new": NEW}),
    ):
        assert post(dan, path, **body)[0] == 403
    dan.headers["X-CSRF-Token"] = token
    assert [one.name for one in place.accounts.people()] == ["dan"]
    foreign = place.client().post(
        "/api/v1/welcome", json={"token": "x", "password": NEW}, headers={"Origin": "http://evil"}
    )
    assert foreign.status_code == 403
