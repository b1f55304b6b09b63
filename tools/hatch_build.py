"""What is added to a wheel: the board's images, when they have been built. `make wheel` builds them first."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Images(BuildHookInterface):
    """Asked by hatchling; see `tool.hatch.build.targets.wheel.hooks.custom` in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the images to a wheel, but not to an editable install, which finds them in build/."""
        if version == "editable":
            return
        # An image, and the signatures beside it.
        for image in sorted(Path(self.root, "build").glob("wallwright-*.uf2*")):
            build_data["force_include"][str(image)] = f"wallwright/board/images/{image.name}"
