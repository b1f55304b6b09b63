"""The doctor's commands as processes, at a simulated table in a process of its own behind TCP."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tests.host.programs import RUNNER


@pytest.fixture
def port() -> Iterator[str]:
    """A table whose lift of side 2 has no power, at four times the pace of a real one."""
    options = ["simulate", "--tcp", "0", "--pace", "4", "--seed", "11", "--faults", "stall lift 2 at 0 s"]
    served = RUNNER.start(*options, stdin=subprocess.PIPE)
    assert served.stdout
    for line in served.stdout:
        found = re.match(r"port: (.+)", line)
        if found:
            yield found[1]
            break
    else:
        raise AssertionError("the table has not said its port")
    served.kill()
    served.communicate()


def doctor(*words: str) -> subprocess.CompletedProcess[str]:
    return RUNNER.finish("doctor", *words)


def test_a_table_behind_tcp_is_looked_after(port: str) -> None:
    jogged = doctor("jog", "--port", port, "--drive", "head_2", "--ms", "1200", "--json")
    assert (jogged.returncode, jogged.stderr) == (0, "")
    record = json.loads(jogged.stdout)
    assert (record["end"], [edge["input"] for edge in record["edges"]][:2]) == (
        "switch",
        ["head_home_2", "head_pushed_2"],
    )
    assert 450 < record["ran_ms"] < 550

    watching = RUNNER.start("doctor", "watch", "--port", port, "--json")
    assert watching.stdout
    assert "head_home_2" in json.loads(watching.stdout.readline())["inputs"]
    watching.send_signal(signal.SIGINT)
    watching.communicate()
    assert watching.returncode == 0

    tested = doctor("test", "--port", port, "--no-ask", "--json")
    assert tested.returncode == 4, tested.stderr
    results = [json.loads(line) for line in tested.stdout.splitlines()]
    assert [result["step"] for result in results if result["verdict"] == "failed"] == ["lift 2 rises"]
    assert len(results) == 21
