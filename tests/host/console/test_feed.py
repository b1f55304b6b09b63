"""What viewers are sent: everything once, then what has changed; one who does not read is let go."""

import asyncio
import json
from collections.abc import Callable

import pytest
from fastapi import Request
from structlog.testing import capture_logs

from tests.host.console.hall import Place, routes
from wallwright.console.feed.channels import ApiChannel, HallChannel, PageChannel
from wallwright.console.feed.feed import AT_ONCE, WAITING, Feed
from wallwright.console.guard import stays
from wallwright.errors import JournalFull


def parsed(data: bytes) -> list[tuple[str, str]]:
    """Names and data of events, read the way the standard for server-sent events says."""
    found = []
    for block in data.decode().split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith((":", "retry:"))]
        if lines:
            name = next(line.removeprefix("event: ") for line in lines if line.startswith("event: "))
            found.append((name, "\n".join(line[6:] for line in lines if line.startswith("data: "))))
    return found


def hall_channel() -> HallChannel:
    return HallChannel(lambda view: f"all {len(view.attention)}\nlines", lambda table: f"card {table.state}")


def test_a_change_within_a_table_sends_its_card_alone(place: Place) -> None:
    channel = hall_channel()
    assert parsed(channel.whole(place.desk.view)) == [("hall", "all 0\nlines"), ("ages", "[0,0]")]
    channel.changes(place.desk.view, ())
    place.fleet.change("A2", state="building")
    place.look()
    assert parsed(channel.changes(place.desk.view, ()))[0] == ("t1", "card building")


def test_a_table_that_comes_to_need_somebody_sends_everything(place: Place) -> None:
    channel = hall_channel()
    channel.changes(place.desk.view, ())
    place.fleet.change("A2", state="fault", fault="stopped")
    place.look()
    assert parsed(channel.changes(place.desk.view, ()))[0] == ("hall", "all 1\nlines")


def test_a_status_that_changes_nothing_sends_ages_once_a_second(place: Place) -> None:
    channel = hall_channel()
    channel.changes(place.desk.view, ())
    sent = []
    for _ in range(20):
        place.clock.now_ms += 100
        place.fleet.change("A1", uptime_ms=place.clock.now_ms)
        place.look()
        sent.append(channel.changes(place.desk.view, ()))
    assert [name for data in sent for name, _ in parsed(data)] == ["ages"] * 2


def test_a_table_is_sent_when_its_page_has_changed(place: Place) -> None:
    channel = PageChannel("table", lambda view: view.tables[0].state, has_ages=True)
    channel.changes(place.desk.view, ())
    place.look()
    assert "table" not in dict(parsed(channel.changes(place.desk.view, ())))
    place.fleet.change("A1", state="lid_opening")
    place.look()
    assert dict(parsed(channel.changes(place.desk.view, ())))["table"] == "lid_opening"


def test_programs_get_the_hall_then_changes_and_happenings(place: Place) -> None:
    channel = ApiChannel()
    [(name, data)] = parsed(channel.whole(place.desk.view))
    assert (name, [table["name"] for table in json.loads(data)["tables"]]) == ("hall", ["A1", "A2"])
    channel.changes(place.desk.view, ())
    place.fleet.change("A1", state="fault", fault="stopped")
    place.fleet.tell("A1", "fault", fault="stopped", side=None, found=0, wanted=0)
    heard = []
    place.desk.listen(lambda view, news: heard.append(channel.changes(view, news)))
    place.look()
    (first, happening), (second, table) = parsed(heard[0])
    assert (first, json.loads(happening)["kind"]) == ("happening", "fault")
    assert (second, json.loads(table)["fault"]["name"]) == ("table", "stopped")


def test_programs_get_the_hall_again_when_its_journal_fails(place: Place) -> None:
    channel = ApiChannel()
    channel.changes(place.desk.view, ())
    place.fleet.journal_problem = JournalFull("hall.journal", "the disk is full")
    place.look()
    [(name, data)] = parsed(channel.changes(place.desk.view, ()))
    assert (name, "the disk is full" in json.loads(data)["journal_problem"]) == ("hall", True)
    place.look()
    assert channel.changes(place.desk.view, ()) == b""


class CountingChannel:
    """Sends a number with every change."""

    def __init__(self) -> None:
        self.sent = 0

    def whole(self, view) -> bytes:
        return b"event: whole\n\n"

    def changes(self, view, happenings) -> bytes:
        self.sent += 1
        return f"event: {self.sent}\n\n".encode()


def run(place: Place, scene: Callable) -> None:
    async def play() -> None:
        feed = Feed(place.desk)
        await scene(feed)
        feed.close()

    asyncio.run(play())


async def let_it_come() -> None:
    """What the desk's thread rings is done by the loop after what it does already."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_a_page_without_ages_sends_what_has_changed_alone(place: Place) -> None:
    channel = PageChannel("screen", lambda view: view.tables[0].state)
    assert [name for name, _ in parsed(channel.whole(place.desk.view))] == ["screen"]
    channel.changes(place.desk.view, ())
    place.clock.now_ms += 60_000
    place.look()
    assert channel.changes(place.desk.view, ()) == b""
    place.fleet.change("A1", state="building")
    place.look()
    assert [name for name, _ in parsed(channel.changes(place.desk.view, ()))] == ["screen"]


def test_many_viewers_get_everything_in_order_and_the_loop_looks_at_others_between(place: Place) -> None:
    async def scene(feed: Feed) -> None:
        viewers = [
            feed.watch(("x",), lambda: PageChannel("x", lambda view: view.tables[0].state)) for _ in range(5 * AT_ONCE)
        ]
        for viewer in viewers:
            await anext(viewer)
        for state in ("building", "built", "ready"):
            place.fleet.change("A1", state=state)
            place.look()
        await let_it_come()
        has_some = sum(not queue.empty() for queue in feed._shown[("x",)].queues)
        assert 0 < has_some < len(viewers), "after a few turns of the loop some have it, others not yet"
        for viewer in viewers:
            got = [(await anext(viewer)).decode().split()[-1] for _ in range(3)]
            assert got == ["building", "built", "ready"]

    run(place, scene)


def test_viewers_of_one_thing_share_its_work_and_the_last_ends_it(place: Place) -> None:
    async def scene(feed: Feed) -> None:
        made = []

        def make() -> CountingChannel:
            made.append(CountingChannel())
            return made[-1]

        one, two = feed.watch(("x",), make), feed.watch(("x",), make)
        await anext(one)
        await anext(two)
        assert feed.viewers == 2
        place.look()
        await let_it_come()
        # The second one's coming has told the first what had changed until then.
        assert [await anext(one), await anext(one)] == [b"event: 2\n\n", b"event: 3\n\n"]
        assert await anext(two) == b"event: 3\n\n"
        await one.aclose()
        await two.aclose()
        assert feed.viewers == 0
        assert len(made) == 1

    run(place, scene)


class StillChannel(CountingChannel):
    """Sends something only when it `has_news`; counts how often everything is put together."""

    def __init__(self) -> None:
        super().__init__()
        self.wholes = 0
        self.has_news = False

    def whole(self, view) -> bytes:
        self.wholes += 1
        return f"event: whole {self.wholes}\n\n".encode()

    def changes(self, view, happenings) -> bytes:
        return super().changes(view, happenings) if self.has_news else b""


def test_those_who_come_at_once_are_given_the_same_and_never_what_is_over(place: Place) -> None:
    async def scene(feed: Feed) -> None:
        channel = StillChannel()
        viewers = [feed.watch(("x",), lambda: channel) for _ in range(50)]
        assert {await anext(viewer) for viewer in viewers} == {b"retry: 2000\n\nevent: whole 1\n\n"}
        channel.has_news = True
        # What has changed since is told to those, and whoever comes now begins with it.
        assert b"whole 2" in await anext(feed.watch(("x",), lambda: channel))
        assert [await anext(viewer) for viewer in viewers] == [b"event: 1\n\n"] * 50
        channel.has_news = False
        place.look()
        assert b"whole 3" in await anext(feed.watch(("x",), lambda: channel))

    run(place, scene)


def test_a_viewer_that_does_not_read_is_let_go_and_the_others_miss_nothing(place: Place) -> None:
    async def scene(feed: Feed) -> None:
        slow, quick = feed.watch(("x",), CountingChannel), feed.watch(("x",), CountingChannel)
        await anext(slow)
        await anext(quick)
        got = []
        for _ in range(WAITING + 5):
            place.look()
            await let_it_come()
            got.append(await anext(quick))
        assert [data async for data in slow] == []
        assert len(set(got)) == WAITING + 5

    run(place, scene)


class BrokenChannel(CountingChannel):
    """Cannot be drawn any more after its first news."""

    def changes(self, view, happenings) -> bytes:
        if self.sent > 0:
            raise ZeroDivisionError
        return super().changes(view, happenings)


def test_a_page_that_cannot_be_drawn_stops_nobody_elses_news(place: Place) -> None:
    async def scene(feed: Feed) -> None:
        broken, well = feed.watch(("broken",), BrokenChannel), feed.watch(("well",), CountingChannel)
        await anext(broken)
        await anext(well)
        with capture_logs() as logs:
            place.look()
            await let_it_come()
        assert await anext(well) == b"event: 2\n\n"
        assert [data async for data in broken] == []
        [told] = logs
        assert (told["log_level"], told["where"]) == ("critical", "the stream of ('broken',)")
        assert "ZeroDivisionError" in told["trace"]

    run(place, scene)


def test_a_viewer_whose_account_is_gone_is_let_go(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wallwright.console.feed.feed.QUIET_S", 0.01)
    token = place.signed_in("screen", "wall").cookies["wallwright_session"]
    route = next(one for one in routes(place) if one.path == "/api/v1/stream")
    scope = {"type": "http", "method": "GET", "app": place.app, "route": route, "headers": [cookie(token)]}

    async def scene(feed: Feed) -> None:
        may_stay = stays(Request(scope))
        viewer = feed.watch(("x",), CountingChannel, may_stay)
        await anext(viewer)
        assert await anext(viewer) == b": still here\n\n"
        place.accounts.remove("wall")
        left = [data async for data in viewer]
        assert len(left) <= 1

    run(place, scene)


def cookie(token: str) -> tuple[bytes, bytes]:
    return b"cookie", f"wallwright_session={token}".encode()


def test_all_are_let_go_when_the_server_ends(place: Place) -> None:
    async def scene(feed: Feed) -> None:
        viewer = feed.watch(("x",), CountingChannel)
        await anext(viewer)
        feed.close()
        assert [data async for data in viewer] == []

    async def play() -> None:
        await scene(Feed(place.desk))

    asyncio.run(play())
    place.look()  # and the desk has nobody left to ring


def test_a_change_that_comes_after_the_server_s_end_is_no_bug(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    async def play() -> Feed:
        return Feed(place.desk)

    feed = asyncio.run(play())
    place.look()
    feed.close()
    assert "bug" not in capsys.readouterr().err
