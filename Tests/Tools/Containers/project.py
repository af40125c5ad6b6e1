"""The containers of compose.yaml, by the names of its services.

    shop = Project(engine)
    shop.compose("up", "--detach", "--wait")
    shop.crash("server-1")
    shop.wait_for_recovery("server-1")
"""

import json
import os
import time

# A fixed project name, so that volumes and containers have the same names in each clone of the repository.
NAME = "welms"


class Project:
    def __init__(self, engine):
        self.engine, self.profiles, self.variables, self.restarts = engine, [], {}, {}

    def compose(self, *arguments):
        profiles = [f"--profile={profile}" for profile in self.profiles]
        return self.engine.run(
            "docker",
            "compose",
            f"--project-name={NAME}",
            *profiles,
            *arguments,
            environment={"COMPOSE_PROGRESS": "plain", **self.variables},
        )

    def shell(self, text):
        """Runs a shell command as a user would type it."""
        return self.engine.run(
            "sh", "-c", text, environment={"COMPOSE_PROJECT_NAME": NAME, "COMPOSE_PROGRESS": "plain", **self.variables}
        )

    def services(self):
        """The services, as Compose reads them with the current profiles and variables."""
        return json.loads(self.compose("config", "--format=json"))["services"]

    def inspect(self, service):
        return json.loads(self.engine.run("docker", "inspect", f"{NAME}-{service}-1"))[0]

    def execute(self, service, *command):
        return self.compose("exec", "--no-TTY", service, *command).strip()

    def address(self, service):
        (network,) = self.inspect(service)["NetworkSettings"]["Networks"].values()
        return network["IPAddress"]

    def database(self, service):
        return f"postgresql://welms:welms@{self.address(service)}:5432/welms"

    def is_healthy(self, service):
        state = self.inspect(service)["State"]
        return state["Status"] == "running" and state["Health"]["Status"] == "healthy"

    def crash(self, service):
        """Kills a container's first process from outside, because the engine does not restart a container after `docker
        kill`."""
        self.restarts[service] = self.inspect(service)["RestartCount"]
        self.signal(service, "KILL")

    def signal(self, service, name):
        """Sends a signal to a container's first process, without the engine."""
        self.engine.run("sh", "-c", f"kill -{name} {self.inspect(service)['State']['Pid']}")

    def wait_for_recovery(self, service, within=60):
        """Waits until the engine has restarted the container and it is healthy. Returns the time."""
        begin = time.monotonic()
        while self.inspect(service)["RestartCount"] != self.restarts[service] + 1 or not self.is_healthy(service):
            if time.monotonic() > begin + within:
                raise RuntimeError(
                    f"{service} is not healthy {within} s after it was killed: {self.inspect(service)['State']}"
                )
            time.sleep(0.1)
        return time.monotonic()

    def logs(self):
        return self.compose("ps", "--all") + self.compose("logs", "--no-color", "--tail=15")

    def events(self, since):
        """The events of the containers, as pairs of service and event, in order."""
        lines = self.engine.run(
            "docker", "events", f"--since={since}", f"--until={time.time()}", "--format={{json .}}"
        ).splitlines()
        events = sorted((json.loads(line) for line in lines), key=lambda event: event["timeNano"])
        return [
            (e["Actor"]["Attributes"].get("com.docker.compose.service"), e["Action"])
            for e in events
            if e["Type"] == "container"
        ]

    def network(self):
        """The name of the network of the containers."""
        (name,) = self.inspect("postgres")["NetworkSettings"]["Networks"]
        return name
