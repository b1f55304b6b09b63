"""docs/dice.md and the code say the same: the worked example and the figures."""

import hashlib
import re
from pathlib import Path

from wallwright.journal import rolls
from wallwright_firmware import entropy
from wallwright_protocol.dice import commitment, dice_of
from wallwright_simulator.noise import NAMED, PERIOD

TEXT = (Path(__file__).parents[2] / "docs/dice.md").read_text()
(BLOCK,) = re.findall(r"^```example\n(.*?)^```$", TEXT, re.M | re.S)
EXAMPLE = dict(line.split(" = ") for line in BLOCK.splitlines())


def test_the_example_by_the_project_s_own_functions() -> None:
    roll, seed, part = int(EXAMPLE["roll"]), bytes.fromhex(EXAMPLE["seed"]), bytes.fromhex(EXAMPLE["contribution"])
    assert commitment(roll, seed).hex() == EXAMPLE["commitment"]
    assert dice_of(roll, seed, part) == tuple(map(int, EXAMPLE["dice"].split()))
    assert dice_of(roll, seed, part, 3) == tuple(map(int, EXAMPLE["three dice"].split()))
    assert dice_of(roll, seed, b"") == tuple(map(int, EXAMPLE["dice without the contribution"].split()))


def test_the_example_by_the_formulas_as_they_are_written() -> None:
    values = {
        "u32(roll)": int(EXAMPLE["roll"]).to_bytes(4, "little"),
        "seed": bytes.fromhex(EXAMPLE["seed"]),
        "contribution": bytes.fromhex(EXAMPLE["contribution"]),
    }
    formulas = re.findall(r"^    (\w+) += SHA-256\((.*)\)$", TEXT, re.M)
    assert [name for name, _ in formulas] == ["commitment", "digest"]
    for name, formula in formulas:
        pieces = formula.split(" + ")
        data = b"".join(piece.strip('"').encode() if piece[0] == '"' else values[piece] for piece in pieces)
        assert hashlib.sha256(data).hexdigest() == EXAMPLE[name]
    fair = [byte for byte in bytes.fromhex(EXAMPLE["digest"]) if byte < 252]
    assert [byte % 6 + 1 for byte in fair[:2]] == [int(die) for die in EXAMPLE["dice"].split()]
    assert bytes.fromhex(EXAMPLE["digest"])[0] >= 252, "the example shows a byte that is passed over"


def test_the_figures() -> None:
    for said in (
        f"A window is {entropy.WINDOW} samples.",
        f"{entropy.START_WINDOWS * entropy.WINDOW:,} samples, are tested",
        f"| a sample comes {entropy.REPETITIONS} times in a row |",
        f"comes {entropy.PROPORTION} times or more in it",
        f"| the first {entropy.PHRASE} samples of a window come again in it |",
        f"a chance of 2^-{entropy.FALSE_ALARM_BITS} for a false alarm",
        f"{entropy.WINDOW * entropy.MIN_ENTROPY} bits of claimed entropy",
        f"not full after {entropy.WINDOW_LIMIT_MS // 1000} s; it takes "
        f"{entropy.WINDOW / entropy.ROUND * entropy.CHUNK_EVERY_MS / 1000:.2f} s",
        f"after 2 to {entropy.WINDOW - entropy.PHRASE} samples",
    ):
        assert said in TEXT
    assert PERIOD <= entropy.WINDOW - entropy.PHRASE


def test_every_verdict_and_every_source_is_explained() -> None:
    for verdict in (rolls.WRONG, rolls.WITH_HOST, rolls.ALONE, rolls.ALONE_DESPITE_OFFER):
        assert f"\n| {verdict} |" in TEXT
    assert set(re.findall(r"`(\w+)`", TEXT.split("A simulated table can have such sources")[1])) == set(NAMED)
