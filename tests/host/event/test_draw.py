"""The draw: what was published, what was added and what came out belong together, and nothing can be changed later."""

import copy
import hashlib
import json
import re
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from wallwright.event.draw import Contribution, Transcript, commitment, draw_key, draw_lots, verify
from wallwright.event.lots import Lots

PLAYERS = ((1, "Ann"), (2, "Bo"), (3, "Cy"), (4, "Zoë"), (5, "Eve"))
SEED = bytes(range(32))
PARTS = (Contribution("Ann", "3 1 6"), Contribution("the hall", "熊猫"))


def transcript() -> dict[str, Any]:
    lots = draw_lots(draw_key("main", PLAYERS, SEED, PARTS), PLAYERS)
    drawn = Transcript("main", PLAYERS, commitment("main", PLAYERS, SEED), PARTS, SEED.hex(), lots)
    record: dict[str, Any] = json.loads(json.dumps(drawn.record()))
    return record


def recomputed(record: dict[str, Any]) -> tuple[str, list[int]]:
    """The same by other means: only the words of the documentation and SHA-256."""

    def text(words: str) -> bytes:
        return len(words.encode()).to_bytes(4, "little") + words.encode()

    sha = hashlib.sha256
    listed = sha(b"".join(n.to_bytes(4, "little") + text(name) for n, name in record["players"])).digest()
    seed = bytes.fromhex(record["seed"])
    committed = sha(b"wallwright draw 1" + text(record["stage"]) + listed + seed).hexdigest()
    parts = b"".join(text(one["by"]) + text(one["text"]) for one in record["contributions"])
    key = sha(b"wallwright lots 1" + text(record["stage"]) + listed + seed + parts).digest()
    stream = b"".join(sha(key + block.to_bytes(4, "little")).digest() for block in range(8))
    words = [int.from_bytes(stream[at : at + 4], "little") for at in range(0, len(stream), 4)]
    order = [number for number, _ in record["players"]]
    for last in range(len(order) - 1, 0, -1):
        word = words.pop(0)
        assert word < 2**32 - 2**32 % (last + 1)  # none is passed over in these examples
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return committed, order


def test_a_transcript_is_what_its_description_says() -> None:
    record = transcript()
    assert recomputed(record) == (record["commitment"], record["lots"])
    assert verify(record) == ()


def test_the_example_of_the_documentation_is_right() -> None:
    page = (Path(__file__).parents[3] / "docs" / "events.md").read_text()
    told = dict(line.split(" = ") for line in re.findall(r"```example\n(.*?)```", page, re.DOTALL)[0].splitlines())
    assert told["players"] == ", ".join(f"{number} {name}" for number, name in PLAYERS)
    assert (told["seed"], told["stage"]) == (SEED.hex(), "main")
    assert told["commitment"] == commitment("main", PLAYERS, SEED)
    key = draw_key("main", PLAYERS, SEED, PARTS)
    assert (told["key"], told["lots"]) == (key.hex(), " ".join(map(str, draw_lots(key, PLAYERS))))
    assert all(f'"{part.text}"' in page for part in PARTS)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["lots"].reverse(),
        lambda record: record["players"].pop(),
        lambda record: record["players"][3].__setitem__(1, "Zoe"),
        lambda record: record["contributions"].reverse(),
        lambda record: record["contributions"].pop(),
        lambda record: record["contributions"][0].update(text="3 1 5"),
        lambda record: record.update(seed=bytes(32).hex()),
        lambda record: record.update(seed="00"),
        lambda record: record.update(stage="final"),
        lambda record: record.update(commitment="00" * 32),
        lambda record: record.pop("seed"),
        lambda record: record.update(players=3),
    ],
)
def test_every_change_is_seen(change) -> None:
    record = copy.deepcopy(transcript())
    change(record)
    assert verify(record)


def test_the_boundary_between_parts_matters() -> None:
    one = draw_key("main", PLAYERS, SEED, (Contribution("ab", "c"),))
    other = draw_key("main", PLAYERS, SEED, (Contribution("a", "bc"),))
    assert one != other


def test_lots_are_even_and_words_beyond_the_last_multiple_are_passed_over(seed: int) -> None:
    counts = Counter(Lots(struct.pack("<IQ", number, seed)).below(6) for number in range(6000))
    assert set(counts) == set(range(6))
    assert max(abs(count - 1000) for count in counts.values()) < 200, f"seed {seed}"
    limit = 2**31 + 1  # all but half of the words are passed over
    assert all(Lots(struct.pack("<I", number)).below(limit) < limit for number in range(50))
