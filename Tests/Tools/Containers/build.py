#!/usr/bin/python3
"""The first half of `make test-containers`: the images of compose.yaml, built by its own Dockerfiles.

Needs root, debootstrap and a mirror of Debian's. The server's release is compiled in its image from nothing: ten minutes on two idle cores. What did not
change is not built again; to begin anew, remove .build/containers.
"""

import json
import os
import shutil
import sys
import time

import images
from engine import PLACE, Engine
from project import NAME


def main():
    missing = [program for program in ("debootstrap", "unshare", "nsenter", "swift") if not shutil.which(program)]
    if os.geteuid() != 0 or missing:
        sys.exit(f"make test-containers needs root, to give Docker a root and a network of its own{f', and {missing}' if missing else ''}; nothing was done")
    begin = time.monotonic()
    with Engine("--bridge=none", "--iptables=false", folders=[images.toolchain()]) as engine:
        for program in (["docker", "--version"], ["docker", "compose", "version"]):
            print(engine.run(*program).strip(), flush=True)
        real = images.provide(engine)
        with open(f"{PLACE}/images.json", "w") as f:
            json.dump(real, f)
        print("docker compose build", flush=True)
        engine.run("docker", "compose", f"--project-name={NAME}", "--file=compose.yaml", "--file=Tests/Tools/Containers/build-network.yaml", "--profile=standby", "build",
                   environment={"BUILDKIT_PROGRESS": "plain"}, show=True)
        engine.run("docker", "image", "prune", "--force")  # those of last time
    print(f"built in {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
