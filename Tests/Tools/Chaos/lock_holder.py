"""A psql session that holds locks until it is released.

    with LockHolder(cluster.url, "lock table orders in share mode") as holder:
        holder.release()      or holder.commit()
"""

import subprocess

from processes import BINARIES


class LockHolder:
    def __init__(self, url, statement):
        self.process = subprocess.Popen(
            [f"{BINARIES}/psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", url],
            text=True,
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.process.stdin.write(f"begin;\n{statement};\nselect 'held';\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "held":
            raise RuntimeError(f"not granted: {statement}")

    def commit(self):
        self.process.stdin.write("commit;\n")
        self.release()

    def release(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()
