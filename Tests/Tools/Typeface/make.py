# Makes the typeface of the page's headings, Sources/Web/Storefront/typeface.woff2, and lays its licence beside it: Vollkorn SemiBold of Debian's
# package, with what languages in Latin letters are written in. Called by the Makefile's `typeface`, for another weight or other letters.

import glob
import os
import shutil
import subprocess
import tempfile

from fontTools import subset
from fontTools.ttLib import TTFont

PLACE = "Sources/Web/Storefront/typeface"
LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "–—‘’‚“”„•…€™−")]

with tempfile.TemporaryDirectory() as place:
    subprocess.run(["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", "fonts-vollkorn"], cwd=place, check=True)
    subprocess.run(["dpkg-deb", "--extract", *glob.glob(f"{place}/*.deb"), place], check=True)
    shutil.copyfile(f"{place}/usr/share/doc/fonts-vollkorn/copyright", f"{PLACE}.LICENSE")
    font = TTFont(f"{place}/usr/share/fonts/truetype/vollkorn/Vollkorn-SemiBold.ttf")

# Its own figures go below the line, for reading; here they stand beside capitals.
rules = font["GSUB"].table
feature = next(record.Feature for record in rules.FeatureList.FeatureRecord if record.FeatureTag == "lnum")
lining = {glyph: other for index in feature.LookupListIndex for table in rules.LookupList.Lookup[index].SubTable for glyph, other in table.mapping.items()}
for table in font["cmap"].tables:
    table.cmap.update({letter: lining[glyph] for letter, glyph in table.cmap.items() if glyph in lining})

# Without hints, which today's screens don't ask for.
options = subset.Options(hinting=False, layout_features=["kern"])
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=LETTERS)
subsetter.subset(font)
font.flavor = "woff2"
font.save(f"{PLACE}.woff2")
print(f"{os.path.getsize(f'{PLACE}.woff2')} bytes")
