# Creates the typeface of the headings, Sources/Pages/Storefront/typeface.woff2, and its licence: Vollkorn SemiBold from
# Debian's package, with the letters of languages in Latin script. Run it again for another weight or other letters.

import glob
import os
import shutil
import subprocess
import tempfile

from fontTools import subset
from fontTools.ttLib import TTFont

OUTPUT = "Sources/Pages/Storefront/typeface"
LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "–—‘’‚“”„•…€™−")]

with tempfile.TemporaryDirectory() as folder:
    subprocess.run(
        ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", "fonts-vollkorn"], cwd=folder, check=True
    )
    subprocess.run(["dpkg-deb", "--extract", *glob.glob(f"{folder}/*.deb"), folder], check=True)
    shutil.copyfile(f"{folder}/usr/share/doc/fonts-vollkorn/copyright", f"{OUTPUT}.LICENSE")
    font = TTFont(f"{folder}/usr/share/fonts/truetype/vollkorn/Vollkorn-SemiBold.ttf")

# The default figures have descenders. Headings use lining figures, which match capitals.
rules = font["GSUB"].table
feature = next(record.Feature for record in rules.FeatureList.FeatureRecord if record.FeatureTag == "lnum")
lining = {
    glyph: lining_glyph
    for index in feature.LookupListIndex
    for table in rules.LookupList.Lookup[index].SubTable
    for glyph, lining_glyph in table.mapping.items()
}
for table in font["cmap"].tables:
    table.cmap.update({letter: lining[glyph] for letter, glyph in table.cmap.items() if glyph in lining})

# Without hinting, which current screens do not need.
options = subset.Options(hinting=False, layout_features=["kern"])
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=LETTERS)
subsetter.subset(font)
font.flavor = "woff2"
font.save(f"{OUTPUT}.woff2")
print(f"{os.path.getsize(f'{OUTPUT}.woff2')} bytes")
