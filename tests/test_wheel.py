"""What a wheel has that a checkout has not: compiled catalogs of texts; and what it leaves out."""

import subprocess
import sys
import zipfile
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest

from wallwright.console.catalogs import LOCALES
from wallwright.doctor.profiles import profile_names

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_it_carries_the_profiles(wheel: zipfile.ZipFile) -> None:
    assert {f"wallwright/doctor/profiles/{name}.toml" for name in profile_names()} <= set(wheel.namelist())


@pytest.mark.parametrize("locale", LOCALES.values())
def test_it_carries_every_language_compiled(wheel: zipfile.ZipFile, locale: str) -> None:
    inside = f"wallwright/console/locale/{locale}/LC_MESSAGES/wallwright"
    assert not [name for name in wheel.namelist() if name.endswith(".po")]
    texts = GNUTranslations(BytesIO(wheel.read(f"{inside}.mo")))
    assert texts.gettext("Stop all tables") != "Stop all tables"


def test_a_program_from_the_wheel_needs_no_babel(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    told = "import sys; sys.modules['babel'] = None; from wallwright.console import catalogs, texts; "
    told += "print(catalogs.__file__, texts.translator('zh')('seat {number}', number=2))"
    done = subprocess.run(
        [sys.executable, "-c", told],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    file, said = done.stdout.split(maxsplit=1)
    assert Path(file).is_relative_to(tmp_path)
    assert "2" in said
    assert "seat" not in said


def test_an_installed_wheel_asks_for_no_babel_and_an_installed_checkout_does(wheel: zipfile.ZipFile) -> None:
    (about,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    needed = [line for line in wheel.read(about).decode().splitlines() if line.startswith("Requires-Dist: babel")]
    assert [line for line in needed if "extra ==" not in line] == []
    script = "from hatchling.build import build_editable; import sys; print(build_editable(sys.argv[1]))"
    folder = Path(wheel.filename or "").parent
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    editable = zipfile.ZipFile(folder / done.stdout.split()[-1])
    (about,) = (name for name in editable.namelist() if name.endswith(".dist-info/METADATA"))
    assert "Requires-Dist: babel\n" in editable.read(about).decode()
