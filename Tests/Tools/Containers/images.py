"""The base images of compose.yaml. They are pulled if possible. Otherwise the files in images/ make images of the same
names from Debian's packages."""

import json
import os
import re
import shutil
import subprocess

from engine import FOLDER, ROOT, CommandFailed, debian

HERE = os.path.dirname(os.path.abspath(__file__))
# The Debian release of each base image, and the file in images/ that makes each other image.
ROOTS = {"debian:bookworm-slim": "bookworm", "debian:trixie-slim": "trixie"}
FILES = {"swift:6.3-bookworm": "swift", "postgres:17": "postgres", "haproxy:3.0-alpine": "haproxy"}


def toolchain():
    """The folder of this machine's Swift toolchain, which becomes /usr of an image."""
    target = json.loads(
        subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    )
    usr = os.path.dirname(os.path.dirname(target["paths"]["runtimeResourcePath"]))
    if usr == "/usr":
        raise RuntimeError("Swift is installed in /usr: the image needs a toolchain in a separate folder")
    return usr


def needed_images(engine):
    """The images that the default and the standby profile run, and the base images of their Dockerfiles."""
    project = json.loads(engine.run("docker", "compose", "--profile", "standby", "config", "--format=json"))
    images = {s["image"] for s in project["services"].values() if "image" in s and "build" not in s}
    for service in project["services"].values():
        images |= set(re.findall(r"^FROM (\S+)", service.get("build", {}).get("dockerfile_inline", ""), re.M))
    return sorted(images)


def provide_images(engine):
    """Pulls or makes each image. Returns for each name whether it was pulled."""
    is_pulled = {}
    for image in needed_images(engine):
        is_pulled[image] = engine.try_to_run("docker", "pull", "--quiet", image)[0] == 0
        if not is_pulled[image]:
            make_image(engine, image)
        print(f"{image:24} {'pulled' if is_pulled[image] else 'made from Debian packages'}", flush=True)
    return is_pulled


def pull_citus(engine):
    """Pulls the image of the citus profile, which cannot be made from Debian's packages. Returns whether it exists."""
    project = json.loads(engine.run("docker", "compose", "--profile", "citus", "config", "--format=json"))
    image = project["services"]["citus-coordinator"]["image"]
    exists = (
        engine.try_to_run("docker", "pull", "--quiet", image)[0] == 0
        or engine.try_to_run("docker", "image", "inspect", image)[0] == 0
    )
    print(f"{image:24} {'pulled' if exists else 'cannot be pulled: the step of Citus is skipped'}", flush=True)
    return exists


def make_image(engine, image):
    if image in ROOTS:
        if engine.try_to_run("docker", "image", "inspect", image)[0]:
            root = debian(ROOTS[image], f"{FOLDER}/{ROOTS[image]}")
            with subprocess.Popen(["tar", "--numeric-owner", "-C", root, "-c", "."], stdout=subprocess.PIPE) as tar:
                engine.run(
                    "docker",
                    "import",
                    "--change",
                    "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    "--change",
                    "CMD [\"bash\"]",
                    "-",
                    image,
                    input=tar.stdout,
                )
        return
    if image not in FILES:
        raise CommandFailed(f"{image} cannot be pulled, and Tests/Tools/Containers/images has no file for it")
    path = f"{HERE}/images/{FILES[image]}.Dockerfile"
    with open(path) as f:
        (base,) = re.findall(r"^FROM (\S+)", f.read(), re.M)
    make_image(engine, base)
    contexts = (
        [f"--build-context=toolchain={toolchain()}", f"--build-context=git={git_configuration()}"]
        if FILES[image] == "swift"
        else []
    )
    engine.run(
        "docker",
        "buildx",
        "build",
        "--progress=plain",
        "--network=host",
        f"--tag={image}",
        f"--file={path}",
        *contexts,
        f"{HERE}/images",
    )


def git_configuration():
    """Makes a folder with the machine's insteadOf rules of git, and the local repositories that they name."""
    folder = f"{FOLDER}/git"
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(f"{folder}/etc")
    rules = subprocess.run(
        ["git", "config", "--includes", "--get-regexp", r"^url\..*\.insteadof$"],
        cwd="/",
        capture_output=True,
        text=True,
    ).stdout
    for rule in rules.splitlines():
        key, _, address = rule.partition(" ")
        subprocess.run(["git", "config", "--file", f"{folder}/etc/gitconfig", "--add", key, address], check=True)
        repository = key.removeprefix("url.").removesuffix(".insteadof").rstrip("/")
        if repository.startswith("/") and not os.path.exists(folder + repository):
            shutil.copytree(repository, folder + repository, symlinks=True)
    return folder
