"""What MicroPython freezes into an image: the port's own module, ours, and the programs that the board starts."""

freeze("$(PORT_DIR)/modules", "rp2.py")  # noqa: F821 - the manifest's own words
package("wallwright_protocol", base_path="protocol", opt=2)  # noqa: F821
package("wallwright_firmware", base_path="firmware", opt=2)  # noqa: F821
module("wallwright_image.py", opt=2)  # noqa: F821
module("wallwright_dictionary.py", opt=2)  # noqa: F821
module("_boot.py", base_path="firmware", opt=2)  # noqa: F821
module("main.py", base_path="firmware", opt=2)  # noqa: F821
