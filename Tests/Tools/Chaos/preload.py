"""Compiles a C file of this directory into a library for LD_PRELOAD, which changes functions of libc."""

import mmap
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


class PreloadedLibrary:
    """The library NAME.c in all processes that are started with its environment. It reads `memory`, whose file is named
    by the variable NAME_FILE."""

    def __init__(self, scale, name, size):
        library = f"{scale.directory}/{name}.so"
        if not os.path.exists(library):
            compiler = next(name for name in ("clang", "cc", "gcc") if shutil.which(name))  # clang comes with Swift
            subprocess.run(
                [compiler, "-Wall", "-Werror", "-O2", "-fPIC", "-shared", "-o", library, f"{HERE}/{name}.c", "-ldl"],
                check=True,
            )
        path = f"{scale.new_directory()}/{name}"
        with open(path, "wb") as f:
            f.write(bytes(size))
        os.chmod(path, 0o644)
        with open(path, "r+b") as f:
            self.memory = mmap.mmap(f.fileno(), size)
        self.environment = {"LD_PRELOAD": library, f"{name.upper()}_FILE": path}
