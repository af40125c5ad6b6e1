"""Reports lines over 120 columns that the Swift formatter permits: comments, string literals and other languages.

Exempt, because they cannot be broken: tables in Markdown, and lines with an address. Also exempt is Tests/Data: the
tables of RESULTS.md are the output of the measurements, and each byte of the fuzzers' inputs matters.
"""

import os
import subprocess
import sys

COLUMNS = 120
SUFFIXES = (".swift", ".sql", ".js", ".mjs", ".css", ".py", ".sh", ".md", "Makefile")
FOLDERS = ("Sources", "Tests", "sql", "seed", ".ci")
EXEMPT = "Tests/Data/"


def source_paths():
    """Returns the paths that git tracks; if git cannot list them, all files at the top and in FOLDERS."""
    # Without this check, git would list the files of a repository around an exported tree.
    if os.path.exists(".git"):
        try:
            listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
            return [path for path in listed.split("\0") if os.path.isfile(path)]
        except (OSError, subprocess.CalledProcessError):
            pass
    walked = [os.path.join(folder, name) for top in FOLDERS for folder, _, names in os.walk(top) for name in names]
    return sorted(name for name in os.listdir() if os.path.isfile(name)) + sorted(walked)


def is_checked(path):
    # The scripts in .ci have no suffix.
    return (path.endswith(SUFFIXES) or path.startswith(".ci/")) and not path.startswith(EXEMPT)


def long_lines(path):
    """Yields the number and the length of each line of the file that is too long."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            length = len(line.rstrip("\n"))
            is_table = path.endswith(".md") and line.startswith("|")
            if length > COLUMNS and "http" not in line and not is_table:
                yield number, length


def main():
    paths = [path for path in source_paths() if is_checked(path)]
    found = [f"{path}:{number}: {length} columns" for path in paths for number, length in long_lines(path)]
    if found:
        print("\n".join(found), file=sys.stderr)
        sys.exit(f"{len(found)} lines have more than {COLUMNS} columns: break them")


main()
