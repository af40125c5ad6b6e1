"""What an experiment is given, and what it returns. Used by every module of experiments/; chaos.py runs them."""

import dataclasses
import os
import random
import tempfile


@dataclasses.dataclass
class Outcome:
    figures: str
    held: bool | None  # None: not run
    why: str = ""  # what did not hold, or what it needs to run


class Scale:
    """How much is done, and with what."""

    def __init__(self, is_full, server, seed, directory):
        """`server` is the program's path. `directory` is shared by all experiments and gone at the end."""
        self.is_full, self.server, self.directory = is_full, server, directory
        self.random = random.Random(seed)  # what an experiment leaves to chance

    def pick(self, full, short):
        return full if self.is_full else short

    def new_directory(self):
        """One that PostgreSQL's user can enter."""
        path = tempfile.mkdtemp(dir=self.directory)
        os.chmod(path, 0o755)
        return path


def outcome(wrong, figures):
    """Of an experiment that collects what is wrong as sentences."""
    return Outcome(figures, not wrong, "; ".join(sentence[:500] for sentence in wrong[:5]) + (f"; and {len(wrong) - 5} more" if len(wrong) > 5 else ""))
