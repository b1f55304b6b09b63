"""The images that come with the program: in the wheel, or in the build folder of a checkout."""

from pathlib import Path

from ..errors import BadImage

_PACKAGE = Path(__file__).parent
IMAGES = _PACKAGE / "images"
BUILT = _PACKAGE.parents[2] / "build"


def bundled_image(chip: str) -> Path:
    """Return where the image for `chip` is. BadImage when this installation has none."""
    name = f"wallwright-{chip}.uf2"
    for folder in (IMAGES, BUILT):
        if (folder / name).is_file():
            return folder / name
    raise BadImage(f"no image for the {chip} came with this installation; give one with --image, or `make firmware`")
