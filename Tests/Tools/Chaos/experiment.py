"""The argument and the result of an experiment."""

import dataclasses
import os
import random
import tempfile


@dataclasses.dataclass
class Outcome:
    figures: str
    has_passed: bool | None  # None: not run
    details: str = ""  # the problems, or why it was not run


class Scale:
    """How much an experiment does, and its resources."""

    def __init__(self, is_full, server, seed, directory):
        """`server` is the path of the program. All experiments share `directory`, which is removed at the end."""
        self.is_full, self.server, self.directory = is_full, server, directory
        self.random = random.Random(seed)  # the random choices of the experiment

    def pick(self, full, short):
        return full if self.is_full else short

    def new_directory(self):
        """Makes a directory that PostgreSQL's user can enter."""
        path = tempfile.mkdtemp(dir=self.directory)
        os.chmod(path, 0o755)
        return path


def outcome(problems, figures):
    """The outcome of an experiment that collects its problems as sentences."""
    return Outcome(
        figures,
        not problems,
        "; ".join(sentence[:500] for sentence in problems[:5])
        + (f"; and {len(problems) - 5} more" if len(problems) > 5 else ""),
    )
