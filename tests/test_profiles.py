"""`make profile` counts each sample for the innermost call of this project."""

import pytest

from tools.profiles import phase_of, table_of

RUN = "<module> (<string>:3);timed (builds.py:71);"
STEP = "Simulation._step (wallwright_simulator/simulation.py:219);"
POLL = "App.poll (/a/clone/firmware/wallwright_firmware/app.py:204);"
LOAD = "_find_and_load (<frozen importlib._bootstrap>:1176);exec_module (<frozen importlib._bootstrap_external>:940)"


@pytest.mark.parametrize(
    ("stack", "phase", "call"),
    [
        (RUN + STEP + POLL + "<listcomp> (random.py:1)", "firmware", "App.poll (wallwright_firmware/app.py)"),
        (
            RUN + STEP + "advance (bisect.py:1)",
            "simulator: clock",
            "Simulation._step (wallwright_simulator/simulation.py)",
        ),
        (
            STEP + "Belt.go (wallwright_simulator/belt.py:9)",
            "simulator: mechanics",
            "Belt.go (wallwright_simulator/belt.py)",
        ),
        ("take (wallwright/journal/kinds/texts.py:9)", "host: journal", "take (wallwright/journal/kinds/texts.py)"),
        (RUN + POLL + LOAD, "loading modules", "loading modules"),
        (RUN, "Python and the benchmark", "Python and the benchmark"),
    ],
)
def test_a_sample_counts_for_the_innermost_call_of_the_project(stack, phase, call):
    assert phase_of(stack.rstrip(";").split(";")) == (phase, call)


def test_a_table_shows_phases_and_calls_by_their_samples():
    table = table_of("builds", [f"{RUN}{STEP}{POLL.rstrip(';')} 150", f"{RUN}{STEP.rstrip(';')} 50"])
    assert table.splitlines() == [
        "| builds | share of 1.0 s |",
        "|---|---|",
        "| firmware | 75% |",
        "| simulator: clock | 25% |",
        "| `App.poll (wallwright_firmware/app.py)` | 75% |",
        "| `Simulation._step (wallwright_simulator/simulation.py)` | 25% |",
    ]
