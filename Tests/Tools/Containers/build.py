#!/usr/bin/python3
"""The first half of `make test-containers`: builds the images of compose.yaml.

Needs root, debootstrap and a Debian mirror. The image compiles the release build from scratch, which takes ten minutes
on two idle cores. Unchanged layers are cached; delete .build/containers to start again.
"""

import json
import os
import shutil
import sys
import time

import images
from engine import FOLDER, Engine
from project import NAME


def main():
    missing = [program for program in ("debootstrap", "unshare", "nsenter", "swift") if not shutil.which(program)]
    if os.geteuid() != 0 or missing:
        sys.exit(
            "make test-containers needs root, for a separate root file system and"
            f" network{f', and {missing}' if missing else ''}. Nothing was done."
        )
    begin = time.monotonic()
    with Engine("--bridge=none", "--iptables=false", folders=[images.toolchain()]) as engine:
        for program in (["docker", "--version"], ["docker", "compose", "version"]):
            print(engine.run(*program).strip(), flush=True)
        is_pulled = images.provide_images(engine)
        with open(f"{FOLDER}/images.json", "w") as f:
            json.dump(is_pulled, f)
        with open(f"{FOLDER}/citus.json", "w") as f:
            json.dump(images.pull_citus(engine), f)
        print("docker compose build", flush=True)
        engine.run(
            "docker",
            "compose",
            f"--project-name={NAME}",
            "--file=compose.yaml",
            "--file=Tests/Tools/Containers/build-network.yaml",
            "--profile=standby",
            "build",
            environment={"BUILDKIT_PROGRESS": "plain"},
            show=True,
        )
        engine.run("docker", "image", "prune", "--force")  # the images of the previous run
    print(f"built in {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
