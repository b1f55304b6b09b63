"""What is made for a wheel: compiled catalogs of texts, and the board's images if `make wheel` has built them.

A release has the public halves of the keys that have signed the images too (`tools/release.py`).
"""

import os
import shutil
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGS = "host/wallwright/console/locale"


class Made(BuildHookInterface[BuilderConfig]):
    """Asked by hatchling; see `tool.hatch.build.targets.wheel.hooks.custom` in pyproject.toml."""

    @property
    def _compiled(self) -> Path:
        return Path(self.directory, "locale")

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add to a wheel what is in no checkout; an editable install uses the checkout, and Babel for its catalogs."""
        if version == "editable":
            build_data["dependencies"].append("babel")
            return
        shutil.rmtree(self._compiled, ignore_errors=True)
        # An image, and the signatures beside it.
        for image in sorted(Path(self.root, "build").glob("wallwright-*.uf2*")):
            build_data["force_include"][str(image)] = f"wallwright/board/images/{image.name}"
        if "WALLWRIGHT_PROJECT_KEYS" in os.environ:
            build_data["force_include"][os.environ["WALLWRIGHT_PROJECT_KEYS"]] = "wallwright/board/project-keys.txt"
        # A compiled module, which Python takes before the source beside it: `make wheel-compiled`.
        if made := os.environ.get("WALLWRIGHT_COMPILED"):
            build_data.update(pure_python=False, infer_tag=True)
            for module in sorted(Path(made).rglob("*.so")):
                build_data["force_include"][str(module)] = module.relative_to(made).as_posix()
        for source in sorted(Path(self.root, CATALOGS).glob("*/LC_MESSAGES/*.po")):
            compiled = self._compiled / source.parents[1].name / f"{source.stem}.mo"
            compiled.parent.mkdir(parents=True)
            with source.open("rb") as texts, compiled.open("wb") as file:
                write_mo(file, read_po(texts))
            inside = source.relative_to(Path(self.root, "host")).with_suffix(".mo")
            build_data["force_include"][str(compiled)] = inside.as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 (hatchling's)
        """Leave nothing beside the wheel."""
        shutil.rmtree(self._compiled, ignore_errors=True)
