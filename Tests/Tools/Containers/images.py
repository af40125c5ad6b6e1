"""The base images that compose.yaml builds on and runs: the real ones where they can be pulled, and else ones of the same names, made of Debian's
packages by the files in images/. Used by build.py."""

import json
import os
import re
import shutil
import subprocess

from engine import PLACE, ROOT, Failed, debian

HERE = os.path.dirname(os.path.abspath(__file__))
# From which release of Debian's an image of this name is made, and by which file.
ROOTS = {"debian:bookworm-slim": "bookworm", "debian:trixie-slim": "trixie"}
FILES = {"swift:6.3-bookworm": "swift", "postgres:17": "postgres", "haproxy:3.0-alpine": "haproxy"}


def toolchain():
    """The folder of this machine's Swift that an image has as /usr."""
    target = json.loads(subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout)
    usr = os.path.dirname(os.path.dirname(target["paths"]["runtimeResourcePath"]))
    if usr == "/usr":
        raise RuntimeError("Swift lies in /usr among everything else: an image of it needs one that was unpacked into a folder of its own")
    return usr


def wanted(engine):
    """What the default profile and the standby's run, and what their files start from."""
    project = json.loads(engine.run("docker", "compose", "--profile", "standby", "config", "--format=json"))
    images = {s["image"] for s in project["services"].values() if "image" in s and "build" not in s}
    for service in project["services"].values():
        images |= set(re.findall(r"^FROM (\S+)", service.get("build", {}).get("dockerfile_inline", ""), re.M))
    return sorted(images)


def provide(engine):
    """Every image is there when it returns. Returns for each name whether it is the real one."""
    real = {}
    for image in wanted(engine):
        real[image] = engine.try_to_run("docker", "pull", "--quiet", image)[0] == 0
        if not real[image]:
            make(engine, image)
        print(f"{image:24} {'pulled' if real[image] else 'made of Debian packages'}", flush=True)
    return real


def make(engine, image):
    if image in ROOTS:
        if engine.try_to_run("docker", "image", "inspect", image)[0]:
            root = debian(ROOTS[image], f"{PLACE}/{ROOTS[image]}")
            with subprocess.Popen(["tar", "--numeric-owner", "-C", root, "-c", "."], stdout=subprocess.PIPE) as tar:
                engine.run("docker", "import", "--change", "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "--change", "CMD [\"bash\"]", "-", image,
                           input=tar.stdout)
        return
    if image not in FILES:
        raise Failed(f"{image} can't be pulled, and Tests/Tools/Containers/images has no file that makes one of this name")
    path = f"{HERE}/images/{FILES[image]}.Dockerfile"
    with open(path) as f:
        (base,) = re.findall(r"^FROM (\S+)", f.read(), re.M)
    make(engine, base)
    contexts = [f"--build-context=toolchain={toolchain()}", f"--build-context=git={git()}"] if FILES[image] == "swift" else []
    engine.run("docker", "buildx", "build", "--progress=plain", "--network=host", f"--tag={image}", f"--file={path}", *contexts, f"{HERE}/images")


def git():
    """A folder with the machine's rules for where repositories are, and the folders that they name."""
    place = f"{PLACE}/git"
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(f"{place}/etc")
    rules = subprocess.run(["git", "config", "--includes", "--get-regexp", r"^url\..*\.insteadof$"], cwd="/", capture_output=True, text=True).stdout
    for rule in rules.splitlines():
        key, _, address = rule.partition(" ")
        subprocess.run(["git", "config", "--file", f"{place}/etc/gitconfig", "--add", key, address], check=True)
        folder = key.removeprefix("url.").removesuffix(".insteadof").rstrip("/")
        if folder.startswith("/") and not os.path.exists(place + folder):
            shutil.copytree(folder, place + folder, symlinks=True)
    return place
