"""What the images are built from: Debian's packages by version and hash, and what is changed in the sources.

The compiler is that of one release everywhere, with the libraries it needs, for another compiler makes other bytes. A
package that Debian has replaced is given its new version and hash here, and every image then has other bytes.
"""

RELEASES = "bookworm trixie source:trixie"
MICROPYTHON = "1.25.0"
SOURCE_DATE = 1744675200
"""Seconds since 1970, 2025-04-15: the day of MicroPython 1.25.0, for whatever writes a date into an image."""

COMPILER = {
    "binutils-arm-none-eabi=2.40-2+18+b1": "c8f9da2a434366bfe5a66a8267cb3b1df028f1d95278715050c222b43e1c221c",
    "gcc-arm-none-eabi=15:12.2.rel1-1": "2bbd4f4145e9a3669f58ddab6a3190b768949f07cc444d23e98743d905f83e16",
    "libnewlib-arm-none-eabi=3.3.0-1.3+deb12u1": "c80278e8332940eaf9738910258bb85b21c30aacf246a5e363fee230d3605e84",
    "libnewlib-dev=3.3.0-1.3+deb12u1": "ab5e6e80d66a6f2f8b9b22b9297154a676a5434ac82e48b88e8164548bc72115",
    "libgmp10=2:6.2.1+dfsg1-1.1": "187aedef2ed763f425c1e523753b9719677633c7eede660401739e9c893482bd",
    "libisl23=0.25-1.1": "ebff0b2f8b220c74224197523019366e97ee4770d464bebc48e4865114e4da0e",
    "libmpc3=1.3.1-1": "d7f79544790e44f9b0c8cb9034a18c58d37f8702a15f32539050718679e52f80",
    "libmpfr6=4.2.0-1": "37b7a2b4e78890b6a074777f27b96c84f58e81558ba08410c2b6c0ca4a4ad77b",
    "libzstd1=1.5.4+dfsg2-5": "6315b5ac38b724a710fb96bf1042019398cb656718b1522279a5185ed39318fa",
    "zlib1g=1:1.2.13.dfsg-1": "d7dd1d1411fedf27f5e27650a6eff20ef294077b568f4c8c5e51466dc7c08ce4",
}
LIBRARIES = {
    "pico-sdk-source=2.1.1-1": "507a3ca37636641bc90239d7c04dc9dc28c5008087a8162102ea94d2273153d3",
    "tinyusb-source=0.18.0+dfsg-1": "01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e",
}
SOURCE = "source:micropython=1.25.0+ds-1"
SOURCE_FILES = {
    "micropython_1.25.0+ds.orig.tar.xz": "7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea",
    "micropython_1.25.0+ds-1.debian.tar.xz": "87cd89f7900c86b963885dabe25acf3e5348815993f1500278ad8f6464465af4",
}
"""The second has the licences; none of its patches is for this port."""

FAST = ("bc", "gc", "map", "obj", "objfun", "objtype", "runtime")
"""Files of MicroPython's py/ that are compiled for speed, beside those that it compiles so itself."""

CHANGES = {
    # Debian's source has no mbedtls: no TLS, AES and SHA-1, none of which the firmware uses.
    "ports/rp2/CMakeLists.txt": (
        ("set(MICROPY_SSL_MBEDTLS ON)", "set(MICROPY_SSL_MBEDTLS OFF)"),
        ("    mbedtls/mbedtls_port.c\n", ""),
        ("target_link_libraries(${MICROPY_TARGET} micropy_lib_mbedtls)\n", ""),
        # Attributes, calls and collections are what a poll consists of: for speed, not for size.
        ("    ${MICROPY_PY_DIR}/map.c\n", "".join(f"    ${{MICROPY_PY_DIR}}/{name}.c\n" for name in FAST)),
    ),
    "ports/rp2/mpconfigport.h": (
        ("#define MICROPY_SSL_MBEDTLS                     (1)", "#define MICROPY_SSL_MBEDTLS (0)"),
        ("#define MICROPY_PY_CRYPTOLIB                    (1)", "#define MICROPY_PY_CRYPTOLIB (0)"),
        ("#define MICROPY_PY_HASHLIB_SHA1                 (1)", "#define MICROPY_PY_HASHLIB_SHA1 (0)"),
        # With 64 places a collection runs out of them, and goes through all that it has marked once more.
        (
            "#define MICROPY_GC_STACK_ENTRY_TYPE             uint16_t",
            "#define MICROPY_GC_STACK_ENTRY_TYPE uint16_t\n#define MICROPY_ALLOC_GC_STACK_SIZE (512)",
        ),
        # Bytes that remember where names were found last: 128 are too few for these programs.
        (
            "#define MICROPY_OPT_COMPUTED_GOTO               (1)",
            "#define MICROPY_OPT_COMPUTED_GOTO (1)\n#define MICROPY_OPT_MAP_LOOKUP_CACHE_SIZE (512)",
        ),
    ),
    "py/gc.c": (
        # A search for a place of several blocks in the heap passes sixteen at once where all are taken: behind a
        # collection it goes through all that lies there for good, and did so block by block.
        (
            "                byte a = area->gc_alloc_table_start[i];\n                // *FORMAT-OFF*\n",
            "                const byte *at = &area->gc_alloc_table_start[i];\n"
            "                if (((uintptr_t)at & 3) == 0 && i + 4 <= area->gc_alloc_table_byte_len) {\n"
            "                    uint32_t four = *(const uint32_t *)at;\n"
            "                    if (((four | four >> 1) & 0x55555555) == 0x55555555) {\n"
            "                        n_free = 0;\n                        i += 3;\n                        continue;\n"
            "                    }\n"
            "                }\n"
            "                byte a = *at;\n                // *FORMAT-OFF*\n",
        ),
    ),
}
"""File of MicroPython -> what is replaced, each of which it has exactly once."""

CHIPS = {"rp2040": ("RPI_PICO", 640), "rp2350": ("RPI_PICO2", 1024)}
"""Chip -> MicroPython's name of the board, and the KiB of its flash before the files of the board begin."""
