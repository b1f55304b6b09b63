"""The fuzzer's corpus as ordinary tests, and damaged copies of it: no input breaks a target.

The fuzzer itself needs atheris: `make fuzz`.
"""

import random
from pathlib import Path

import pytest

from fuzz.targets import TARGETS

CORPUS = Path(__file__).parents[1] / "fuzz" / "corpus"
DAMAGED = 400


def inputs(name: str) -> list[bytes]:
    return [bytes.fromhex(line) for line in (CORPUS / f"{name}.txt").read_text().splitlines()]


def test_every_target_has_its_corpus_and_the_corpus_no_other() -> None:
    assert {path.stem for path in CORPUS.iterdir()} == set(TARGETS)


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_of_the_corpus_breaks_its_target(name: str) -> None:
    known = inputs(name)
    assert len(known) >= 10
    assert len(set(known)) == len(known)
    for data in known:
        TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_no_damaged_input_does(name: str, seed: int) -> None:
    chance = random.Random(seed)
    known = inputs(name)
    for _ in range(DAMAGED):
        data = bytearray(chance.choice(known) + chance.choice(known))
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(data) + 1)
            data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(4))
        TARGETS[name](bytes(data))
