"""docs/readers.md: its example, its numbers of readers and its times are those of the code."""

import hashlib
import re
import struct
from pathlib import Path

from wallwright_firmware import readers, seal, tag_ring
from wallwright_protocol import hardware, wall

TEXT = (Path(__file__).parents[3] / "docs" / "readers.md").read_text(encoding="utf-8")


def test_the_example_is_right():
    (block,) = re.findall(r"```example\n(.*?)```", TEXT, re.S)
    found = dict(line.split(" = ") for line in block.splitlines())
    deal, nonce, tags = int(found["deal"]), bytes.fromhex(found["nonce"]), bytes.fromhex(found["wall"])
    assert len(nonce) == 32
    assert hashlib.sha256(struct.pack("<I", deal) + nonce + tags).hexdigest() == found["commitment"]
    assert wall.commitment(deal, nonce, tags).hex() == found["commitment"]
    whole = seal.Wall(deal, nonce, tags)
    while not whole.seal():
        pass
    assert whole.commitment.hex() == found["commitment"]
    assert len(tags) // wall.TAG_BYTES - whole.known == 1


def test_the_numbers_are_those_of_the_code():
    for name, kind in (("hand", hardware.HAND), ("declared sets", hardware.MELDS), ("discards", hardware.DISCARDS)):
        stated = re.search(rf"{name} (\d+) \+ 3\*s\*", TEXT)
        assert stated
        assert [int(stated[1]) + 3 * seat for seat in range(4)] == [
            hardware.reader_number(seat, kind) for seat in range(4)
        ]
    assert f"for {readers.SETTLE_MS} ms" in TEXT
    assert f"for {readers.LOST_MS:,} ms" in TEXT
    assert f"`wall_part` for {wall.PART_TILES} tiles" in TEXT
    assert f"{tag_ring.EVENTS_PER_TILE * 108} for 108" in TEXT
    assert seal.SILENT_STACKS == 3
    assert "three stacks in a row" in TEXT
