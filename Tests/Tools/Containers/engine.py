"""Docker's own engine and Compose, from Debian's packages, in a root of its own below .build: nothing of it is installed on the machine, and no
container of somebody else's is seen or touched. Used by images.py, build.py and run.py.

    with Engine("--bridge=none", "--iptables=false") as engine:
        engine.run("docker", "compose", "build")        in the project's folder; its output as text

It has process numbers and mounts of its own; its network is its caller's. What it has built stays for the next time.
"""

import fcntl
import os
import resource
import signal
import subprocess
import time

ROOT = os.path.abspath(f"{__file__}/../../../..")
PLACE = f"{ROOT}/.build/containers"
# The first Debian whose Compose reads `configs.content` and `dockerfile_inline`, and whose Docker reads files within a Dockerfile.
RELEASE = "trixie"
PACKAGES = ["ca-certificates", "docker-buildx", "docker-cli", "docker-compose", "docker.io", "iptables"]

# The folders of the machine that the engine sees at their own paths are the arguments after the first two.
START = """
root=$1; options=$2; shift 2
mount --bind "$root" "$root"
for folder; do mkdir -p "$root$folder"; mount --bind "$folder" "$root$folder"; mount -o remount,bind,ro "$root$folder"; done
mount -t proc proc "$root/proc"; mount --rbind /sys "$root/sys"; mount --rbind /dev "$root/dev"
mount -t tmpfs run "$root/run"; mount -t tmpfs tmp "$root/tmp"
cp /etc/resolv.conf /etc/hosts "$root/etc"
cd "$root"; mkdir -p old; pivot_root . old; umount -l old
exec dockerd $options
"""


def mirror():
    """The first that this machine's apt takes Debian's packages from."""
    lines = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Identifier: Packages", "Origin: Debian", "Component: main"], capture_output=True, text=True).stdout
    return next((line for line in lines.splitlines() if line.startswith("http")), "http://deb.debian.org/debian")


def debian(release, path, packages=()):
    """A Debian in a folder, unless it is there already: one that was not finished is begun anew."""
    if os.path.exists(path):
        return path
    print(f"a root of Debian's {release}, in {path}", flush=True)
    subprocess.run(["rm", "-rf", f"{path}.new"], check=True)
    made = subprocess.run(["debootstrap", "--variant=minbase", *([f"--include={','.join(packages)}"] if packages else []), release, f"{path}.new", mirror()],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        raise RuntimeError(f"debootstrap: {made.stdout[-2000:]}")
    os.rename(f"{path}.new", path)
    return path


class Failed(RuntimeError):
    """A command that ended with another status than 0."""


class Engine:
    def __init__(self, *options, folders=()):
        """`options` are dockerd's. `folders` of the machine are seen by what is run in the engine's root, like the project's."""
        os.makedirs(PLACE, exist_ok=True)
        self.root, self.log = debian(RELEASE, f"{PLACE}/engine", PACKAGES), f"{PLACE}/engine.log"
        # A machine without the right to raise limits refuses a container that asks for more than it has itself.
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.options = " ".join([f"--default-ulimit=nofile=1024:{files}", *options])
        self.folders = [ROOT, *folders]

    def __enter__(self):
        self.lock = open(f"{PLACE}/lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(f"somebody is at it already, in {PLACE}") from None
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "sh", "-ec", START, "sh", self.root, self.options, *self.folders],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while self.try_to_run("docker", "version")[0]:
            if self.process.poll() is not None or time.monotonic() > end:
                self.__exit__()
                raise RuntimeError(f"Docker does not start: its words are in {self.log}")
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
        """dockerd's process, the first in its namespace; 0 before there is one."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as f:
            return int(f.read().split(" ")[0] or 0)

    def try_to_run(self, *command, environment=(), input=None, show=False):
        """Exit status, output and complaints of a command in the engine's root. `show`: as they come."""
        inside = self.inside()
        if not inside:
            return 1, "", "the engine has ended"
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **dict(environment)}
        run = subprocess.run(["nsenter", f"--target={inside}", "--mount", "--pid", "env", "-i", f"--chdir={ROOT}", *(f"{k}={v}" for k, v in variables.items()), *command],
                             stdin=input or subprocess.DEVNULL, capture_output=not show, text=True)
        return run.returncode, run.stdout or "", run.stderr or ""

    def run(self, *command, **how):
        status, output, complaints = self.try_to_run(*command, **how)
        if status:
            raise Failed(f"{' '.join(command)} ended with {status}: {complaints[-2000:]}{output[-500:]}")
        return output
