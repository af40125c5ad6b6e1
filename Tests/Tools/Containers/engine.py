"""A Docker engine with Compose, from Debian's packages, in a separate root file system below .build.

Nothing is installed on the machine, and its other containers are not visible.

    with Engine("--bridge=none", "--iptables=false") as engine:
        engine.run("docker", "compose", "build")        runs in the project's folder; returns the output as text

It has separate process and mount namespaces, and the network namespace of its caller. Its images are kept for the next
run.
"""

import fcntl
import os
import resource
import signal
import subprocess
import time

ROOT = os.path.abspath(f"{__file__}/../../../..")
FOLDER = f"{ROOT}/.build/containers"
# The first Debian whose Compose supports `configs.content` and `dockerfile_inline`, and whose Docker supports
# here-documents.
RELEASE = "trixie"
PACKAGES = ["ca-certificates", "docker-buildx", "docker-cli", "docker-compose", "docker.io", "iptables"]

# The arguments after the first two are folders of the machine, mounted at the same paths.
START = """
root=$1; options=$2; shift 2
mount --bind "$root" "$root"
for folder; do
    mkdir -p "$root$folder"; mount --bind "$folder" "$root$folder"; mount -o remount,bind,ro "$root$folder"
done
mount -t proc proc "$root/proc"; mount --rbind /sys "$root/sys"; mount --rbind /dev "$root/dev"
mount -t tmpfs run "$root/run"; mount -t tmpfs tmp "$root/tmp"
cp /etc/resolv.conf /etc/hosts "$root/etc"
cd "$root"; mkdir -p old; pivot_root . old; umount -l old
exec dockerd $options
"""


def mirror():
    """The first Debian mirror in the configuration of apt."""
    lines = subprocess.run(
        [
            "apt-get",
            "indextargets",
            "--format",
            "$(REPO_URI)",
            "Identifier: Packages",
            "Origin: Debian",
            "Component: main",
        ],
        capture_output=True,
        text=True,
    ).stdout
    return next((line for line in lines.splitlines() if line.startswith("http")), "http://deb.debian.org/debian")


def debian(release, path, packages=()):
    """Makes a Debian root in a folder, unless it exists. An incomplete one is made again."""
    if os.path.exists(path):
        return path
    print(f"making a root of Debian {release} in {path}", flush=True)
    subprocess.run(["rm", "-rf", f"{path}.new"], check=True)
    made = subprocess.run(
        [
            "debootstrap",
            "--variant=minbase",
            *([f"--include={','.join(packages)}"] if packages else []),
            release,
            f"{path}.new",
            mirror(),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if made.returncode:
        raise RuntimeError(f"debootstrap: {made.stdout[-2000:]}")
    os.rename(f"{path}.new", path)
    return path


class CommandFailed(RuntimeError):
    """A command failed: its exit status is not 0."""


class Engine:
    def __init__(self, *options, folders=()):
        """`options` are those of dockerd. `folders` of the machine are mounted into the root, like the project's
        folder."""
        os.makedirs(FOLDER, exist_ok=True)
        self.root, self.log = debian(RELEASE, f"{FOLDER}/engine", PACKAGES), f"{FOLDER}/engine.log"
        # Without the privilege to raise limits, containers with a limit above that of the machine fail.
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.options = " ".join([f"--default-ulimit=nofile=1024:{files}", *options])
        self.folders = [ROOT, *folders]

    def __enter__(self):
        self.lock = open(f"{FOLDER}/lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(f"another run uses {FOLDER}") from None
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                [
                    "setpriv",
                    "--pdeathsig=KILL",
                    "unshare",
                    "--mount",
                    "--propagation=private",
                    "--pid",
                    "--fork",
                    "--kill-child",
                    "sh",
                    "-ec",
                    START,
                    "sh",
                    self.root,
                    self.options,
                    *self.folders,
                ],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        end = time.monotonic() + 60
        while self.try_to_run("docker", "version")[0]:
            if self.process.poll() is not None or time.monotonic() > end:
                self.__exit__()
                raise RuntimeError(f"Docker does not start. See {self.log}.")
            time.sleep(0.2)
        return self

    def __exit__(self, *_):
        if self.process.poll() is None and (inside := self.inside()):
            os.kill(inside, signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                pass
        self.process.kill()
        self.process.wait()
        self.lock.close()

    def inside(self):
        """The process id of dockerd, the first process of its namespace; 0 before it runs."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as f:
            return int(f.read().split(" ")[0] or 0)

    def try_to_run(self, *command, environment=(), input=None, show=False):
        """Runs a command in the engine's root. Returns the exit status, the output and the errors. `show` prints them
        instead."""
        inside = self.inside()
        if not inside:
            return 1, "", "the engine has ended"
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **dict(environment)}
        run = subprocess.run(
            [
                "nsenter",
                f"--target={inside}",
                "--mount",
                "--pid",
                "env",
                "-i",
                f"--chdir={ROOT}",
                *(f"{k}={v}" for k, v in variables.items()),
                *command,
            ],
            stdin=input or subprocess.DEVNULL,
            capture_output=not show,
            text=True,
        )
        return run.returncode, run.stdout or "", run.stderr or ""

    def run(self, *command, **arguments):
        status, output, errors = self.try_to_run(*command, **arguments)
        if status:
            raise CommandFailed(f"{' '.join(command)} ended with {status}: {errors[-2000:]}{output[-500:]}")
        return output
