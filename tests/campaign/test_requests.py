"""Every request in every state, with good and bad arguments, at a watched table; and a machine of acts."""

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.campaign import requests
from tests.campaign.requests import FORMATS, NAMES, PAIRS, STATES, WAITS_MS, Asker, Round, good_values
from tests.scenarios.test_watch import forgetful
from tests.scenarios.watch import Broken, is_fault
from wallwright_firmware import safety
from wallwright_firmware.safety import Outputs
from wallwright_protocol import codes, names
from wallwright_protocol.codec import NUMBER_OF, REQUESTS
from wallwright_protocol.link import NEVER

JOGS = 60
NUMBERS = st.integers(0, 2**32 - 1)


def test_every_request_in_every_state_and_beside_every_jog(seed):
    played = Round(seed)
    played.play()
    print(f"seed {seed}: {played.requests} requests in {played.steps} steps, {played.virtual_ms / 60_000:.0f} min")
    assert set(played.answers) == PAIRS
    assert {names.STATES[state] for state, _ in PAIRS} == set(names.STATES) - {"starting"}
    assert {name for _, name in PAIRS} == {layout.name for layout in REQUESTS.values()}
    assert {name for _, name in played.jogged} == set(NAMES)
    answers = {code for found in played.answers.values() for code in found}
    assert answers >= {codes.OK, codes.BAD_ARGUMENT, codes.WRONG_STATE, codes.FAULT_ACTIVE}


def careless_technician(asker: Asker) -> None:
    """Ask for jogs, and for anything else while they run."""
    for _ in range(JOGS):
        asker.jog()
        asker.ask_anything()
        asker.ask("begin_service", ())
        asker.wait(asker.chance.choice(WAITS_MS))
        if is_fault(asker.table.shown):
            asker.ask("clear_fault", ())


@pytest.mark.parametrize("guarded", [True, False], ids=["with guards", "without"])
def test_a_service_that_forgets_its_drive_is_found(seed, monkeypatch, guarded):
    careless_technician(Asker(seed, random.Random(seed)))
    forgetful(monkeypatch)
    if not guarded:
        monkeypatch.setattr(Outputs, "check_state", lambda *_: None)
        monkeypatch.setattr(safety, "PAST_END_MS", NEVER)
    asker = Asker(seed, random.Random(seed))
    with pytest.raises(Broken, match=r"jog goes on|has asked for|is on|are on|owns it|no work|past its end|guard"):
        careless_technician(asker)


def test_all_arguments_are_of_the_form_that_crosses_the_wire(seed):
    chance = random.Random(seed)
    assert set(FORMATS) == set(NAMES)
    for name in NAMES:
        for make in (requests.any_values, good_values):
            for _ in range(20):
                layout = REQUESTS[NUMBER_OF[name]]
                assert len(layout.pack(*make(name, chance))) == layout.size
    assert codes.STARTING not in STATES


@st.composite
def asked(draw: Any) -> "tuple[str, requests.Values]":
    """A request with arguments, good ones or any."""
    name = draw(st.sampled_from(NAMES))
    make = draw(st.sampled_from([good_values, requests.any_values]))
    return name, make(name, random.Random(draw(NUMBERS)))


class Acts(RuleBasedStateMachine):
    """People, a host and a technician at one table; what may not be, the world finds by itself."""

    @initialize(seed=NUMBERS)
    def begin(self, seed: int) -> None:
        self.asker = Asker(seed, random.Random(seed))

    @rule(request=asked())
    def ask(self, request: "tuple[str, requests.Values]") -> None:
        self.asker.ask(*request)

    @rule(requests=st.lists(asked(), min_size=2, max_size=6))
    def ask_at_once(self, requests: "list[tuple[str, requests.Values]]") -> None:
        for request in requests:
            self.asker.ask(*request)

    @rule(for_ms=st.sampled_from(WAITS_MS))
    def wait(self, for_ms: int) -> None:
        self.asker.wait(for_ms)

    @rule(number=NUMBERS, act=st.sampled_from([Asker.press, Asker.stop, Asker.jog, Asker.lose_host, Asker.go_on]))
    def act(self, number: int, act: Any) -> None:
        self.asker.chance.seed(number)
        act(self.asker)

    @rule(state=st.sampled_from(sorted(STATES)))
    def seek(self, state: int) -> None:
        self.asker.seek(frozenset([state]))

    @invariant()
    def every_tile_is_somewhere_once(self) -> None:
        if hasattr(self, "asker"):
            self.asker.table.world.check_conserved()


TestActs = Acts.TestCase
TestActs.settings = settings(max_examples=25, stateful_step_count=40)
