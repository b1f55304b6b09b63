"""The drum in which tiles have places: its paths, its curves against a second implementation, what falls where."""

import random
from math import sqrt
from statistics import mean, stdev

import numpy as np
import pytest
import serial
from scipy.special import kolmogorov

from tests.length import length
from tests.simulator.builder import fresh_seeds
from wallwright.link.simulator import register_simulated_ports
from wallwright_protocol.hardware import DEFAULT_PLANS
from wallwright_simulator.clock import Agenda
from wallwright_simulator.ideal import catch_all
from wallwright_simulator.many_drums import Walls, build_walls
from wallwright_simulator.mechanics import DRUM_RADIUS_CM, STIR_STEP_MS
from wallwright_simulator.places import Mixing, PlacesDrum, read_mixing
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.world import World

register_simulated_ports()

PLAN = DEFAULT_PLANS[108]
TILES = 108


class Idle:
    """A mouth that keeps what it gets."""

    def __init__(self):
        self.tiles = []

    def take_in(self, tile):
        self.tiles.append(tile)


def full_drum(seed, mixing=None, tiles=TILES):
    """A drum on an agenda of its own, its mouths shut, its tiles dropped in their order from all sides in turn."""
    agenda = Agenda()
    drum = PlacesDrum(agenda, seed, mixing=mixing)
    mouths = [Idle() for _ in range(4)]
    drum.join(mouths)
    drum.drop(range(tiles), [False] * tiles, [tile % 4 for tile in range(tiles)])
    return drum, agenda, mouths


def run(agenda, until_ms):
    while agenda.step(until_ms):
        pass


def test_a_path_depends_on_nothing_that_a_controller_does(seed):
    alone, alone_agenda, _ = full_drum(seed)
    used, used_agenda, mouths = full_drum(seed)
    alone.stir(True)
    run(alone_agenda, 10_000)
    chance = random.Random(seed)
    stirred_ms = 0
    while stirred_ms < 10_000:
        # Disc and ring go and rest, mouths open and shut; somebody looks in between.
        for lane in range(4):
            (used.open if chance.random() < 0.5 else used.shut)(lane)
        run_ms = min(chance.randrange(1, 2000), 10_000 - stirred_ms)
        used.stir(True)
        used.turn(chance.random() < 0.8)
        run(used_agenda, used_agenda.now_ms + run_ms)
        used.stir(False)
        used.turn(False)
        run(used_agenda, used_agenda.now_ms + chance.randrange(500))
        stirred_ms += run_ms
        used.places()
    caught = sum(len(mouth.tiles) for mouth in mouths)
    assert 0 < caught < TILES
    there = used.places()
    assert len(there) == TILES - caught
    everywhere = alone.places()
    for tile, (radius, angle) in there.items():
        assert (radius, angle) == pytest.approx(everywhere[tile])


def test_places_stir_by_the_normal_numbers_of_the_library(seed):
    drum, agenda, _ = full_drum(seed, Mixing(d=2.0, slip=0))
    for tile in range(0, TILES, 2):
        drum.take_out(tile)
        drum.put_back(tile, face_up=False, lane=tile % 4)
    begun = {tile: (place.at, place.stream.getstate(), place.spare) for tile, place in drum._places.items()}
    drum.stir(True)
    run(agenda, 30 * STIR_STEP_MS)
    places = drum.places()
    for tile, (at, state, spare) in begun.items():
        stream = random.Random()
        stream.setstate((*state[:2], spare))
        spread = sqrt(2 * 2.0 * STIR_STEP_MS / 1000)
        for _ in range(30):
            at += complex(stream.gauss(0, spread), stream.gauss(0, spread))
            if abs(at) > DRUM_RADIUS_CM:
                at *= abs(2 * DRUM_RADIUS_CM - abs(at)) / abs(at)
        assert places[tile][0] == abs(at)


def test_places_move_while_the_disc_turns_and_only_then(seed):
    drum, agenda, _ = full_drum(seed)
    before = drum.places()
    run(agenda, 10_000)
    assert drum.places() == before
    drum.stir(True)
    run(agenda, agenda.now_ms + STIR_STEP_MS)
    after = drum.places()
    assert all(before[tile] != after[tile] for tile in before)


def test_a_copy_gives_what_the_drum_gives(seed):
    world = World(seed, mixing=Mixing())
    catches = catch_all(world.drum, PLAN)
    assert catch_all(world.drum, PLAN) == catches
    assert len({catch.tile for catch in catches}) == TILES
    other = World(seed, mixing=Mixing(d=6.0))
    assert [catch.tile for catch in catch_all(other.drum, PLAN)] != [catch.tile for catch in catches]


@pytest.mark.slow
def test_long_stirred_tiles_lie_everywhere_alike(seed):
    """Diffusion between walls that reflect ends in a uniform disc: the square of the radius is uniform."""
    squares = []
    for drum_seed in fresh_seeds(seed, 12):
        drum, agenda, _ = full_drum(drum_seed, Mixing(d=10.0))
        drum.stir(True)
        run(agenda, 120_000)
        squares += [(radius / DRUM_RADIUS_CM) ** 2 for radius, _ in drum.places().values()]
    count = len(squares)
    farthest = max(max(at - rank / count, (rank + 1) / count - at) for rank, at in enumerate(sorted(squares)))
    assert kolmogorov(farthest * count**0.5) > 1e-5


def test_the_first_to_fall_lie_outermost_near_their_side(seed):
    drum, _, _ = full_drum(seed)
    places = drum.places()
    first = mean(places[tile][0] for tile in range(36))
    last = mean(places[tile][0] for tile in range(72, 108))
    assert first > 1.5 * last
    towards = mean(np.cos(places[tile][1] - (tile % 4) * np.pi / 2) for tile in places)
    # The mean cosine of a normal angle of 0.5 radians is exp(-0.125).
    assert towards == pytest.approx(np.exp(-0.125), abs=4 * 0.3 / sqrt(TILES))
    drum, _, _ = full_drum(seed, Mixing(f=0.0))
    places = drum.places()
    assert abs(mean(places[tile][0] for tile in range(54)) - mean(places[tile][0] for tile in range(54, 108))) < 7


def walls_of(seed, mixing, wash_ms):
    """One wall of the drum of a whole table, as `Walls` with one build."""
    world = World(seed, mixing=mixing)
    rank = {tile: at for at, tile in enumerate(world.drum.tiles)}
    world.drum.stir(True)
    world.advance(wash_ms)
    world.drum.stir(False)
    lanes: list[list[int]] = [[], [], [], []]
    for catch in catch_all(world.drum, PLAN):
        lanes[catch.lane].append(rank[catch.tile])
    return [rank for lane in lanes for rank in lane]


def correlations(walls: Walls):
    """Of each build the correlation of the rank of falling with the place along its wall, right end 0."""
    along = (walls.stack + 0.5) / np.array(PLAN)[walls.side]
    return [float(np.corrcoef(ranks, along)[0, 1]) for ranks in walls.ranks]


@pytest.mark.slow
@pytest.mark.parametrize(("d", "wash_s"), [(2.25, 0), (5.0, 0), (5.0, 20), (30.0, 0)])
def test_both_drums_have_one_curve(d, wash_s, seed):
    builds = length(30, 600)
    mixing = Mixing(d=d)
    many = build_walls(10 * builds, PLAN, np.random.default_rng(seed), mixing=mixing, wash_ms=wash_s * 1000)
    one_by_one = np.array([walls_of(each, mixing, wash_s * 1000) for each in fresh_seeds(seed, builds)])
    found, expected = correlations(many._replace(ranks=one_by_one)), correlations(many)
    error = sqrt(stdev(found) ** 2 / len(found) + stdev(expected) ** 2 / len(expected))
    assert abs(mean(found) - mean(expected)) < 3 * error


@pytest.mark.slow
def test_the_curve_is_that_of_the_design(seed):
    """Correlations that an independent study of this model found, 400 builds a point: 0.37, 0.07 and 0.005 at D = 5."""
    generator = np.random.default_rng(seed)
    for wash_s, expected in ((0, 0.37), (20, 0.07), (60, 0.005)):
        found = correlations(build_walls(400, PLAN, generator, mixing=Mixing(d=5.0), wash_ms=wash_s * 1000))
        assert mean(found) == pytest.approx(expected, abs=0.025)


@pytest.mark.slow
def test_an_ideal_drum_has_no_curve(seed):
    found = correlations(build_walls(1000, PLAN, np.random.default_rng(seed)))
    assert abs(mean(found)) < 4 * stdev(found) / sqrt(len(found))


@pytest.mark.slow
def test_builds_take_as_long_in_both_drums(seed):
    generator = np.random.default_rng(seed)
    builds = length(1500, 20_000)
    ideal = build_walls(builds, PLAN, generator).ms
    places = build_walls(builds, PLAN, generator, mixing=Mixing()).ms
    for quantile in (0.1, 0.5, 0.9):
        assert np.quantile(places, quantile) == pytest.approx(np.quantile(ideal, quantile), rel=length(4, 2) / 100)


def build_s(seed, mixing):
    """How long the firmware of a table takes for its first walls, without the wash, in s."""
    simulation = Simulation(seed, mixing=mixing)
    simulation.players.press_lift(0)
    at_ms = []
    for shown in ("BUILD", "READY"):
        while simulation.board.displays[0] != shown:
            simulation.run_until(simulation.next_ms())
            assert simulation.now_ms < 120_000
        at_ms.append(simulation.now_ms)
    return (at_ms[1] - at_ms[0]) / 1000


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_builds_of_the_firmware_take_as_long_in_both_drums(seed, capsys):
    """Quantiles within 2 % in the campaign, three standard errors of the last; 20 builds show one that is far off."""
    builds = length(20, 3000)
    seeds = fresh_seeds(seed, builds)
    ideal, places = ([build_s(each, mixing) for each in seeds] for mixing in (None, Mixing()))
    for quantile in (0.1, 0.5, 0.9):
        of_ideal, of_places = np.quantile(ideal, quantile), np.quantile(places, quantile)
        with capsys.disabled():
            print(
                f"\nquantile {quantile} of {builds} builds of the firmware: ideal {of_ideal:.2f} s, "
                f"places {of_places:.2f} s, ratio {of_places / of_ideal:.4f}"
            )
        assert of_places == pytest.approx(of_ideal, rel=0.02 if builds == 3000 else 0.15)


def test_people_push_the_middle_first_then_walls_then_hands(seed):
    world = World(seed, mixing=Mixing())
    world.pile.clear()
    for side in range(4):
        first = TILES + 27 * side
        world.hands[side] = list(range(first, first + 8))
        world.melds[side] = [list(range(first + 8, first + 11))]
        world.discards[side] = list(range(first + 11, first + 17))
        world.walls[side] = [[tile, tile + 1] for tile in range(first + 17, first + 27, 2)]
    order = world.sweeping()
    assert sorted(tile for tile, _ in order) == list(range(TILES, 2 * TILES))
    assert all(side == (tile - TILES) // 27 for tile, side in order)
    stages = [0 if 11 <= (tile - TILES) % 27 < 17 else 1 if (tile - TILES) % 27 >= 17 else 2 for tile, _ in order]
    assert stages == sorted(stages)
    # All sides at once: any four in a row come from four sides.
    assert [side for _, side in order[:4]] == [0, 1, 2, 3]


def test_a_whole_build_of_the_firmware_conserves_its_tiles(seed):
    simulation = Simulation(seed, mixing=Mixing())
    simulation.players.press_lift(0)
    while simulation.board.displays[0] != "READY":
        simulation.run_until(simulation.next_ms())
        assert simulation.now_ms < 90_000
    simulation.world.check_conserved()


@pytest.mark.parametrize("wrong", [{"d": -1.0}, {"f": 1.5}, {"slip": -0.1}, {"rim": 0}])
def test_constants_that_cannot_be_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=name if name != "d" else "D is -1"):
        World(mixing=Mixing(**wrong))


def test_a_drum_is_told_by_name_and_constants():
    assert read_mixing("ideal") is None
    assert read_mixing("places") == Mixing(d=5.0, f=1.0, rim=40, slip=0.3)
    assert read_mixing("places:d=2.25,rim=80") == Mixing(d=2.25, rim=80)
    for text, why in (
        ("pails", "no drum is called 'pails'"),
        ("ideal:d=1", "no drum is called"),
        ("places:D=1", "no 'D': its constants are d, f, rim, slip"),
        ("places:d=much", "d takes a number, not 'much'"),
        ("places:rim=0", "rim is 0"),
    ):
        with pytest.raises(ValueError, match=why):
            read_mixing(text)


def test_a_port_makes_a_table_with_such_a_drum():
    with serial.serial_for_url("sim://?seed=3&drum=places:d=2.25") as port:
        drum = port.simulation.world.drum  # type: ignore[attr-defined]
        assert isinstance(drum, PlacesDrum)
        assert drum.mixing == Mixing(d=2.25)
    with pytest.raises(serial.SerialException, match="no drum is called 'pails'"):
        serial.serial_for_url("sim://?seed=3&drum=pails")


def rank_correlation(seed, wash_s):
    """The correlation in the first walls of a table whose own firmware washes the set and builds them, by key."""
    simulation = Simulation(seed, mixing=Mixing(), wash_s=wash_s)
    rank = {tile: at for at, tile in enumerate(simulation.world.drum.tiles)}
    simulation.players.press_lift(0)
    while simulation.board.displays[0] != "READY":
        simulation.run_until(simulation.next_ms())
        assert simulation.now_ms < 180_000
    carried = [stack for side in range(4) for stack in enumerate(simulation.world.heads[side].carrier)]
    assert len(carried) == sum(PLAN)
    ends = [(at + 0.5) / plan for plan in PLAN for at in range(plan)]
    pairs = [(rank[tile], end) for (_, stack), end in zip(carried, ends, strict=True) for tile in stack]
    return float(np.corrcoef(np.array(pairs).T)[0, 1])


@pytest.mark.slow
def test_the_wash_of_a_new_board_hides_in_which_order_tiles_fell(seed):
    """D = 5 cm2/s, the firmware's own wash of 60 s; 100 tables in the campaign."""
    tables = length(6, 100)
    seeds = fresh_seeds(seed, tables)
    unwashed = mean(rank_correlation(each, 0) for each in seeds[:6])
    washed = mean(rank_correlation(each, None) for each in seeds)
    # The correlation of one fair wall has a standard deviation of 0.097.
    assert unwashed > 0.2
    assert abs(washed) < (0.033 if tables == 100 else 3 * 0.097 / sqrt(tables))
