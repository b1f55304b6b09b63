"""Names of files are safe wherever they are taken to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.system.file_names import LONGEST, safe_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chengdu Grand-Prix", "Chengdu Grand-Prix"),
        ("成都大奖赛 2026", "成都大奖赛 2026"),
        ("a/b\\c:d", "a-b-c-d"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "event-CON"),
        ("nul.txt", "event-nul.txt"),
        ("Spring. ", "Spring"),
        ("???", "event"),
        ("", "event"),
        ("a\nb\u202egpj", "abgpj"),
    ],
)
def test_a_name_is_kept_as_far_as_it_can_be(text: str, name: str) -> None:
    assert safe_name(text, "event") == name


@given(st.text())
def test_any_text_gives_a_name_for_any_system(text: str) -> None:
    name = safe_name(text, "event")
    assert name == name.strip(" .")
    assert not set(name) & set('<>:"/\\|?*')
    assert name.isprintable() or any(one.isspace() for one in name)
    assert 0 < len(name.encode()) <= LONGEST + len("event-")
    assert safe_name(name, "event") in (name, f"event-{name}")
