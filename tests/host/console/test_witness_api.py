"""Checkpoints, proofs and published points by the API: right, for everybody, and nothing else is told by them."""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

from tests.host.console.hall import Place
from tests.host.console.played import DAN, play_out, publish, witnessed
from tests.host.fleet.served import until
from tests.host.journal.conftest import stored, tamper
from tests.host.journal.test_leaves import leaves
from tests.host.journal.test_merkle import mth, path, subproof
from wallwright.console.qr import path_of
from wallwright.journal import Checkpoint
from wallwright.journal.witness import EVERY_MS, WITNESSED, Witnessing
from wallwright.journal.witness_places import find_witness

API = "/api/v1/checkpoint"


def test_proofs_are_those_of_the_journals_tree(place: Place, seed: int) -> None:
    book = place.begin_event()
    client = place.client()
    assert client.get(API).status_code == 404
    witnessing = witnessed(place)
    first = client.get(API).json()
    publish(place, 1, Random(seed))
    place.clock.now_ms += EVERY_MS
    witnessing.look()
    told = client.get(API).json()
    expected = leaves(stored(book.place))
    assert Checkpoint.parse(told["checkpoint"]).entry == told["size"] == len(expected)
    assert (told["root"], told["before"]) == (mth(expected).hex(), first["size"])
    proof = [node.hex() for node in subproof(first["size"], expected, True)]
    query = {"first": first["size"], "second": told["size"]}
    assert told["proof"] == client.get(f"{API}/consistency", params=query).json()["proof"] == proof
    for entry in (1, first["size"], told["size"]):
        answer = client.get(f"{API}/inclusion/{entry}", params={"size": told["size"]}).json()
        assert answer["leaf"] == hashlib.sha256(b"\0" + expected[entry - 1]).hexdigest()
        assert answer["proof"] == [node.hex() for node in path(entry - 1, expected)]


WITHOUT_PROOF = (
    "consistency?first=1&second=9999999",
    "consistency?first=3&second=2",
    "inclusion/0?size=3",
    "inclusion/-1?size=3",
    "inclusion/4?size=3",
    "inclusion/1?size=9999999",
    "results/1/1?size=9999999",
    "results/99/1?size=1",
)


def test_what_has_no_proof_is_not_there(place: Place) -> None:
    place.begin_event()
    publish(place, 1, Random(1))
    witnessed(place)
    for question in WITHOUT_PROOF:
        answer = place.client().get(f"{API}/{question}")
        assert answer.status_code == 404, question
        assert answer.json()["problem"]


def test_points_are_shown_with_their_leaf_once_they_are_public(place: Place, seed: int) -> None:
    book = place.begin_event()
    play_out(place, 1, Random(seed))
    size = witnessed(place).tree.size
    client = place.client()
    for who in (client, place.signed_in("director")):
        assert who.get(f"{API}/results/1/1", params={"size": size}).status_code == 404
    book.step(DAN, 1, "publish", "")
    shown = client.get(f"{API}/results/1/1", params={"size": size}).json()["results"]
    rows, expected = stored(book.place), leaves(stored(book.place))
    assert shown
    assert [(one["table"], one["deal"]) for one in shown] == [one[:2] for one in book.deals_of(1, 1)]
    for one in shown:
        row = rows[one["entry"] - 1]
        opened = hashlib.sha256(bytes.fromhex(one["key"]) + one["result"].encode()).digest()
        assert expected[one["entry"] - 1] == bytes.fromhex(one["commitment"]) + opened
        assert json.loads(one["result"])[6] == json.loads(row[6])["points"]
        assert one["proof"] == [node.hex() for node in path(one["entry"] - 1, expected[:size])]


def test_nothing_that_is_told_lets_anybody_guess_at_an_entry(place: Place, tmp_path: Path) -> None:
    """Attack: everything that everybody may ask is taken, and every hash in it is compared with what who knows all of
    an entry but a secret can compute: its text, the text behind what was told, and the hashes of the chain.
    """
    book = place.begin_event()
    publish(place, 1, Random(5))
    witnessing = witnessed(place)
    size = witnessing.tree.size
    client = place.client()
    told: list[Any] = [client.get(API).json(), client.get(f"{API}/results/1/1", params={"size": size}).json()]
    for entry in range(1, size + 1):
        told.append(client.get(f"{API}/inclusion/{entry}", params={"size": size}).json())
        told.append(client.get(f"{API}/consistency", params={"first": entry, "second": size}).json())
    text = json.dumps(told)
    told_bytes = {bytes.fromhex(one) for one in _hashes(told)}
    rows = stored(book.place)
    salt = next(json.loads(row[6])["salt"] for row in rows if row[5] == WITNESSED)
    assert salt not in text
    for row in rows:
        parts = ["null" if value is None else json.dumps(value, ensure_ascii=False) for value in row[:7]]
        entry_text = f"[{','.join(parts)}]".encode()
        assert row[7] not in told_bytes
        for before in (b"", b"\0", bytes(32), *told_bytes):
            guess = hashlib.sha256(before + entry_text).digest()
            assert guess not in told_bytes
            assert hashlib.sha256(b"\0" + guess).digest() not in told_bytes
    assert "P1" not in text
    assert "hands" not in text


def _hashes(value: Any) -> list[str]:
    """Every text of 64 hexadecimal digits in a JSON value."""
    if isinstance(value, dict):
        return _hashes(list(value.values()))
    if isinstance(value, list):
        return [one for item in value for one in _hashes(item)]
    return [value] if isinstance(value, str) and len(value) == 64 else []


def test_who_works_there_sees_which_witness_is_away(place: Place, tmp_path: Path) -> None:
    book = place.begin_event()
    client = place.signed_in("director")
    assert "Who else keeps checkpoints" not in client.get("/event/papers").text
    names = (str(tmp_path / "kept"), str(tmp_path / "away" / "kept"))
    witnesses = [find_witness(name) for name in names]
    place.site.witnessing = witnessing = Witnessing(book.place, book.turn, place.clock, witnesses)
    witnessing.look()
    first, second = witnessing.senders
    until(lambda: bool(first.kept_line and second.problem))
    page = client.get("/event/papers").text
    assert str(witnessing.newest.checkpoint) in page if witnessing.newest else False
    assert f"<b>{names[1]}</b>" in page
    assert "No such file or directory" in page
    tamper(book.place, ("UPDATE entries SET at_ms = 7 WHERE id = (SELECT max(id) FROM entries)", ()))
    witnessing.look()
    assert "Nothing is signed any more" in client.get("/event/papers").text
    witnessing.close()


def test_the_screen_shows_the_newest_checkpoint_to_be_photographed(place: Place) -> None:
    book = place.begin_event()
    client = place.client()
    assert 'class="checkpoint' not in client.get("/screen").text
    witnessing = witnessed(place)
    first = client.get("/screen").text
    assert 'class="checkpoint corner"' in first
    book.step(DAN, 1, "open", "")
    place.clock.now_ms += EVERY_MS
    witnessing.look()
    pages = []
    for _ in range(3):
        place.clock.now_ms += 10_000
        book.look()
        pages.append(client.get("/screen").text)
    with_code = [page for page in pages if 'class="checkpoint"' in page]
    assert len(with_code) == 1
    assert witnessing.newest is not None
    code = path_of(str(witnessing.newest.checkpoint)).path
    assert code in with_code[0]
    assert code not in first
