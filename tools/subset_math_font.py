"""Cut the font of the formulas down to what formulas use.

    python tools/subset_math_font.py STIXTwoMath.woff2

STIX Two Math holds five thousand signs, 400 kB; with Latin and Greek letters, operators, arrows,
brackets and what stretches them it is a fifth of that. The whole font comes from the npm package
``@fontsource/stix-two-math``. Writing it takes ``pip install brotli`` beside the course's packages.
"""

import sys
from pathlib import Path

from fontTools import subset

TARGET = Path(__file__).resolve().parent.parent / "book/_static/fonts/stix-two-math-course.woff2"
RANGES = (
    (0x20, 0x7E),  # ASCII
    (0x391, 0x3C9),  # Greek
    (0x2190, 0x21A7),  # arrows
    (0x2200, 0x22FF),  # operators
    (0x2308, 0x230B),  # floor and ceiling
    (0x27E6, 0x27EB),  # brackets of meaning
    (0x1D400, 0x1D467),  # bold and italic
    (0x1D49C, 0x1D4CF),  # script
    (0x1D538, 0x1D56B),  # double-struck
    (0x1D6E2, 0x1D71B),  # italic Greek
)
SINGLE = (
    *(0xA0, 0xAF, 0xB1, 0xD7, 0x2C6, 0x2DC, 0x302, 0x303, 0x304, 0x305, 0x3D1, 0x3D5, 0x3F1, 0x3F5),
    *(0x2016, 0x2019, 0x2026, 0x2032, 0x2033, 0x203E, 0x2061, 0x2062, 0x2063, 0x20D7, 0x2102),
    *(0x210D, 0x210E, 0x2112, 0x2113, 0x2115, 0x2119, 0x211A, 0x211D, 0x2124, 0x23DE, 0x23DF),
    *(0x1D7CF,),
)


def main(source: str) -> None:
    """Write the part of the font that the course ships."""
    options = subset.Options(flavor="woff2", layout_features=["*"])
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[*SINGLE, *(n for low, high in RANGES for n in range(low, high + 1))])
    cutter.subset(font)
    subset.save_font(font, str(TARGET), options)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
