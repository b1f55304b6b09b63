"""Walls built by the board's own image, begun by a key; begun by the host they are in the campaign, and conformance."""

from tests.board.building import HEAD_STOP_MS, HeadStops, build, samples_lost


def test_a_lift_key_builds_the_walls(chip, seed, monkeypatch):
    simulation = build(chip, seed)
    stops = HeadStops(simulation, monkeypatch)
    while simulation.now_ms < 60_000 and simulation.board.displays[0] == "BUILD":
        simulation.run_until(simulation.now_ms + 200)
    assert [len(head.carrier) for head in simulation.world.heads] == [14, 13, 14, 13]
    simulation.world.check_conserved()
    assert simulation.resets == 0
    assert samples_lost(simulation) == 0
    assert len(stops.all()) >= 54, "each stack takes a turn of its head"
    assert max(stops.all()) <= HEAD_STOP_MS
