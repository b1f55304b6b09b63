"""Lets atheris look for inputs that break a target; `make fuzz` runs it.

    .venv-dev/bin/python -m fuzz.run                   all targets and the API, FUZZ_SECONDS (600) each
    .venv-dev/bin/python -m fuzz.run decoder FILE      one target on one input, as when a crash was found

What it finds beyond the corpus of the repository stays below build/fuzz/: inputs that reach new lines, and an input
that breaks something as crash-…; put the latter into the corpus, as a line of hexadecimal digits, with what mends it.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import atheris

INSTRUMENTED = [
    "tomllib",
    "wallwright_protocol",
    "wallwright_firmware.events",
    "wallwright.link.frames",
    "wallwright.system.strict_json",
    "wallwright.link.trace_file",
    "wallwright.board.keys",
    "wallwright.event.draw",
    "wallwright.event.format",
    "wallwright.event.lists",
    "wallwright.event.player_lists",
    "wallwright.fleet.config",
    "wallwright.journal",
    "wallwright.rules.sichuan.ruleset",
    "wallwright.tiles.enrolment",
]
"""Whose branches the fuzzer sees."""
ROOT = Path(__file__).parents[1]
CORPUS = Path(__file__).with_name("corpus")
FOUND = ROOT / "build" / "fuzz"
SECONDS = 600
LONGEST = 2048
"""Bytes of an input at the most: several times a frame."""
MEMORY_MIB = 512


def main() -> int:
    """Fuzz everything, or what the arguments say; 0 when nothing was found."""
    sources = [(ROOT / "fuzz" / name).read_text() for name in ("targets.py", "readers.py")]
    names = [name for source in sources for name in re.findall(r'^    "(\w+)": fuzz_', source, re.MULTILINE)]
    if len(sys.argv) > 1:
        fuzz(sys.argv[1], sys.argv[2:])
    seconds = int(os.environ.get("FUZZ_SECONDS", SECONDS))
    failed = [name for name in names if not run(name, seconds)]
    if subprocess.run(
        [sys.executable, "-m", "tests.campaign.api", "--seconds", str(seconds)], cwd=ROOT, check=False
    ).returncode:
        failed.append("api")
    if failed:
        print(f"Something was found in {', '.join(failed)}: see above, and {FOUND}/")
    return len(failed)


def run(name: str, seconds: int) -> bool:
    """Fuzz one target in a process of its own; say how many inputs it tried, and whether it bore them all."""
    folder = FOUND / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate((CORPUS / f"{name}.txt").read_text().splitlines()):
        (folder / f"corpus-{number:03d}").write_bytes(bytes.fromhex(line))
    print(f"{name}: for {seconds} s", flush=True)
    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-rss_limit_mb={MEMORY_MIB}"]
    options += ["-timeout=5", "-print_final_stats=1", f"-artifact_prefix={folder}/", str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "fuzz.run", name, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    tried = re.search(r"stat::number_of_executed_units: *(\d+)", done.stderr)
    if done.returncode == 0 and tried:
        print(f"{name}: {int(tried[1]):,} inputs in {seconds} s, nothing found", flush=True)
        return True
    print(done.stdout + done.stderr)
    return False


def fuzz(name: str, options: list[str]) -> None:
    """Hand one target to atheris, which ends the process."""
    with atheris.instrument_imports(include=INSTRUMENTED):
        from fuzz.targets import TARGETS
    atheris.Setup([sys.argv[0], *options], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
