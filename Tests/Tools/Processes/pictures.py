"""Generated pictures for tests that upload photographs."""

import os
import struct
import subprocess
import tempfile
import zlib


def png(width=400, height=300, colour=(200, 80, 40)):
    """Returns a PNG of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + bytes(colour) * width
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))


def photographs():
    """Returns four JPEGs of 800 by 600 pixels, with sizes like photographs of food: about 20 kB at half the width.

    As in natural images, the amplitude falls with the frequency (Field, Relations between the statistics of natural
    images and the response properties of cortical cells, 1987)."""
    with tempfile.TemporaryDirectory() as folder:
        def vips(*arguments):
            subprocess.run(["vips", *map(str, arguments)], cwd=folder, check=True, capture_output=True)

        def octave(cell, name, amplitude, level):
            vips("perlin", "noise.v", 1600, 1200, "--cell-size", cell, "--seed", cell)
            vips("linear", "noise.v", name, amplitude, level)

        octave(256, "light.v", 60, 128)
        for cell, amplitude in ((128, 48), (64, 40), (32, 36), (16, 34), (8, 32), (4, 26), (2, 18)):
            octave(cell, "octave.v", amplitude, 0)
            vips("add", "light.v", "octave.v", "more.v")
            os.replace(os.path.join(folder, "more.v"), os.path.join(folder, "light.v"))
        octave(200, "warmth.v", 50, 30)
        vips("add", "light.v", "warmth.v", "red.v")
        vips("subtract", "light.v", "warmth.v", "blue.v")
        vips("bandjoin", "red.v light.v blue.v", "colours.v")
        vips("cast", "colours.v", "bytes.v", "uchar")
        vips("copy", "bytes.v", "whole.v", "--interpretation", "srgb")
        made = []
        for left, top in ((0, 0), (800, 0), (0, 600), (800, 600)):
            vips("crop", "whole.v", "one.jpg[Q=92]", left, top, 800, 600)
            with open(os.path.join(folder, "one.jpg"), "rb") as file:
                made.append(file.read())
        return made
