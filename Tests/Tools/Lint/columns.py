"""Reports lines over 120 columns, which the Swift formatter does not: comments, string literals, and other languages.

Tables in Markdown and lines with an address are exempt, because they cannot be broken.
"""

import os
import subprocess
import sys

COLUMNS = 120
SUFFIXES = (".swift", ".sql", ".js", ".css", ".py", ".sh", ".md", "Makefile")


def long_lines(path):
    """Yields the number and the length of each line of the file that is too long."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            length = len(line.rstrip("\n"))
            is_table = path.endswith(".md") and line.startswith("|")
            if length > COLUMNS and "http" not in line and not is_table:
                yield number, length


def main():
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    paths = [path for path in listed.split("\0") if path.endswith(SUFFIXES) and os.path.isfile(path)]
    found = [f"{path}:{number}: {length} columns" for path in paths for number, length in long_lines(path)]
    print("\n".join(found), file=sys.stderr)
    sys.exit(f"{len(found)} lines have more than {COLUMNS} columns: break them" if found else 0)


main()
