"""Nothing of a running deal comes out of a tracker, whatever is asked of it, printed, logged or raised."""

import logging
import traceback

import pytest

from wallwright.errors import BadInput
from wallwright.rules.sichuan.followed import Followed
from wallwright.tracking import Setup, Tracker, ZoneEvent

from .acted import act_out
from .truth import played


def test_a_running_deal_has_no_text_form_and_writes_nothing(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    acted = act_out(played(2), 2)
    tracker = Tracker(Setup(Followed(acted.deal.ruleset), acted.deal.dealer, acted.tiles))
    shown = []
    with caplog.at_level(logging.DEBUG):
        for event in acted.events[: len(acted.events) // 2]:
            tracker.feed(event)
            shown.append(repr(event))
            try:
                tracker.feed(ZoneEvent(event.at_ms, event.told, 99, event.tag))
            except BadInput as error:
                shown.append("".join(traceback.format_exception(error)))
    shown += [repr(tracker), str(tracker), caplog.text, *capfd.readouterr()]
    text = "\n".join(shown)
    assert len(text) > 1000
    for tag in acted.tiles:
        assert tag.hex() not in text
        assert repr(tag)[2:-1] not in text


def test_what_a_tracker_may_be_asked_before_the_end_is_nothing() -> None:
    acted = act_out(played(2), 2)
    tracker = Tracker(Setup(Followed(acted.deal.ruleset), acted.deal.dealer, acted.tiles))
    public = [name for name in dir(tracker) if not name.startswith("_")]
    assert sorted(public) == ["feed", "finish"]
    assert "tiles" not in repr(Setup(Followed(acted.deal.ruleset), acted.deal.dealer, acted.tiles))
