"""The pictures of the tiles: one for every kind of every game, each with a name in both languages."""

from xml.etree import ElementTree

from tests.host.console.hall import Place
from wallwright.console.texts import LANGUAGES, tile_text
from wallwright.console.voice import Voice
from wallwright.rules.core.tiles import NAMES

SYMBOL = "{http://www.w3.org/2000/svg}symbol"


def test_every_kind_has_a_picture_of_its_own(place: Place) -> None:
    answer = place.signed_in("scorer").get("/static/tiles.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    drawn = {one.get("id"): ElementTree.tostring(one) for one in ElementTree.fromstring(answer.text).iter(SYMBOL)}
    assert sorted(map(str, drawn)) == sorted(NAMES)
    faces = {face.replace(f'id="{name}"'.encode(), b"") for name, face in drawn.items()}
    assert len(faces) == 42


def test_seasons_and_plants_have_the_numbers_of_the_seats_in_red_and_blue(place: Place) -> None:
    sheet = ElementTree.fromstring(place.signed_in("scorer").get("/static/tiles.svg").text)
    corners = {}
    for symbol in sheet.iter(SYMBOL):
        corner = next(iter(symbol.iter("{http://www.w3.org/2000/svg}text")))
        corners[symbol.get("id")] = (corner.text, corner.get("fill"))
    red, blue = corners["1m"][1], corners["1p"][1]
    assert [corners[f"{number}f"] for number in range(1, 5)] == [(str(number), red) for number in range(1, 5)]
    assert [corners[f"{number}f"] for number in range(5, 9)] == [(str(number), blue) for number in range(1, 5)]


def test_every_picture_is_named_in_every_language() -> None:
    for language in LANGUAGES:
        assert len({tile_text(name, Voice(language)) for name in NAMES}) == 42
    assert tile_text("5s", Voice("en")) == "5s"
    assert (tile_text("7z", Voice("en")), tile_text("7z", Voice("zh"))) == ("red dragon", "红中")
    assert tile_text("5f", Voice("zh")) == "花牌一，梅"
