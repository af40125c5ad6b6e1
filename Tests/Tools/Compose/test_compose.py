"""Checks the content of compose.yaml without Docker.

`make test-compose` runs these tests. It also validates each profile with Docker Compose, if that is installed.
"""
import json
import pathlib
import re
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
ONE_SHOT = {name for name, service in SERVICES.items() if service.get("restart") == "no"}


def of_profile(profile):
    return {name: s for name, s in SERVICES.items() if not s.get("profiles") or profile in s["profiles"]}


def seconds(text):
    return int(text.removesuffix("s"))


class ComposeTests(unittest.TestCase):
    def test_only_the_load_balancer_of_two_servers_is_published(self):
        self.assertEqual({name for name in of_profile(None)}, {"load-balancer", "server-1", "server-2", "postgres"})
        published = {name: s["ports"] for name, s in SERVICES.items() if "ports" in s}
        self.assertEqual(published, {"load-balancer": ["127.0.0.1:8080:8080"]})

    def test_long_running_services_have_a_health_check_and_restart(self):
        for name in SERVICES.keys() - ONE_SHOT:
            self.assertIn("test", SERVICES[name]["healthcheck"], name)
            self.assertEqual(SERVICES[name]["restart"], "unless-stopped", name)

    def test_dependencies_wait_for_health_or_completion(self):
        for name, service in SERVICES.items():
            for needed, how in service.get("depends_on", {}).items():
                wanted = "service_completed_successfully" if needed in ONE_SHOT else "service_healthy"
                self.assertEqual(how["condition"], wanted, f"{name} on {needed}")
                # A dependency with a profile that the dependent lacks may be absent.
                if set(SERVICES[needed].get("profiles", [])) - set(service.get("profiles", [])):
                    self.assertIs(how.get("required"), False, f"{name} on {needed}")
        self.assertEqual(set(SERVICES["load-balancer"]["depends_on"]), {"server-1", "server-2"})

    def test_dependencies_have_no_cycle(self):
        done = set()
        for _ in SERVICES:
            done |= {name for name, s in SERVICES.items() if set(s.get("depends_on", {})) <= done}
        self.assertEqual(done, set(SERVICES))

    def test_each_profile_contains_the_dependencies_of_its_services(self):
        for profile in [None, "standby", "citus"]:
            services = of_profile(profile)
            for name, service in services.items():
                for needed, how in service.get("depends_on", {}).items():
                    self.assertTrue(
                        needed in services or how.get("required") is False, f"{name} on {needed} in {profile}"
                    )

    def test_servers_and_load_balancer_run_read_only_without_root_and_capabilities(self):
        for name in ["server-1", "server-2", "load-balancer", "citus-migrate"]:
            service = SERVICES[name]
            self.assertIs(service["read_only"], True, name)
            self.assertEqual(service["cap_drop"], ["ALL"], name)
            self.assertIn("no-new-privileges:true", service["security_opt"], name)
        self.assertIn("\nUSER nobody\n", SERVICES["server-1"]["build"]["dockerfile_inline"])
        self.assertEqual(SERVICES["load-balancer"]["user"], "haproxy")

    def test_the_grace_period_exceeds_the_shutdown_time(self):
        for name in SERVICES.keys() - ONE_SHOT:
            self.assertGreater(seconds(SERVICES[name]["stop_grace_period"]), 10, name)

    def test_the_load_balancer_detects_a_shutdown_before_connections_are_refused(self):
        config = SERVICES["load-balancer"]["build"]["dockerfile_inline"]
        interval, failures = map(int, re.search(r"inter (\d+)ms fall (\d+) ", config).groups())
        self.assertGreaterEqual(
            seconds(re.search(r"timeout check (\S+)", config)[1]), 2, "a busy server would count as down"
        )
        command = SERVICES["server-1"]["command"]
        drain_seconds = int(command[command.index("--drain-seconds") + 1])
        self.assertGreaterEqual(drain_seconds * 1000, (failures + 1) * interval)
        self.assertIn("http-check send meth GET uri /readyz", config)
        for server in ["server-1:8080", "server-2:8080"]:
            self.assertIn(server, config)

    def test_the_limit_of_open_files_suffices_for_the_connections(self):
        config = SERVICES["load-balancer"]["build"]["dockerfile_inline"]
        connections = int(re.search(r"^  maxconn (\d+)$", config, re.M)[1])
        # Each connection needs two descriptors, one to the guest and one to a server. Some are for internal use.
        self.assertGreaterEqual(SERVICES["load-balancer"]["ulimits"]["nofile"], 2 * connections + 100)
        for name in ["server-1", "server-2"]:
            self.assertGreaterEqual(SERVICES[name]["ulimits"]["nofile"], connections)

    def test_the_load_balancer_closes_streams_before_the_grace_period_ends(self):
        config = SERVICES["load-balancer"]["build"]["dockerfile_inline"]
        self.assertLess(
            int(re.search(r"^  hard-stop-after (\d+)s$", config, re.M)[1]),
            seconds(SERVICES["load-balancer"]["stop_grace_period"]),
        )

    def test_errors_of_the_load_balancer_have_retry_after(self):
        config = SERVICES["load-balancer"]["build"]["dockerfile_inline"]
        answers = dict(
            re.findall(
                r"^  http-error status (\d+) content-type application/problem\+json string '(.*)' hdr Retry-After 1$",
                config,
                re.M,
            )
        )
        self.assertEqual(set(answers), {"502", "503", "504"})
        for status, body in answers.items():
            self.assertEqual(json.loads(body)["status"], int(status))

    def test_named_configs_volumes_and_files_exist(self):
        for name, service in SERVICES.items():
            for config in service.get("configs", []):
                self.assertIn(config["source"], COMPOSE["configs"], name)
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                self.assertTrue(
                    (ROOT / source).exists() if source.startswith(".") else source in COMPOSE["volumes"],
                    f"{name}: {source}",
                )
        # Compose copies configs into a container at its start, which fails in a read-only container.
        for name, service in SERVICES.items():
            self.assertFalse(service.get("read_only") and service.get("configs"), name)
        for line in SERVICES["server-1"]["build"]["dockerfile_inline"].splitlines():
            if line.startswith("COPY ") and "--from" not in line:
                for path in line.split()[1:-1]:
                    self.assertTrue((ROOT / path).exists(), line)

    def test_the_cluster_has_the_documented_settings(self):
        for name in ["citus-coordinator", "citus-worker-1", "citus-worker-2"]:
            command = " ".join(SERVICES[name]["command"])
            self.assertIn("citus.max_adaptive_executor_pool_size=1", command)
            self.assertRegex(command, r"citus\.recover_2pc_interval=[12]s")

    def test_tables_are_distributed_before_servers_start_and_shard_counts_agree(self):
        self.assertEqual(
            SERVICES["server-1"]["depends_on"]["citus-spread"]["condition"], "service_completed_successfully"
        )
        self.assertIn("SHARDS=16", (ROOT / "compose.yaml").read_text().split("services:")[0])
        self.assertEqual(SERVICES["citus-spread"]["environment"]["SHARDS"], "${SHARDS:-16}")

    def test_only_one_server_seeds_the_menu(self):
        self.assertEqual(
            [name for name in SERVICES if "--seed-if-empty" in SERVICES[name].get("command", [])], ["server-1"]
        )

    def test_the_root_folder_has_no_dockerfile(self):
        self.assertEqual(list(ROOT.glob("*ockerfile*")), [])

    def test_the_file_contains_no_staff_token(self):
        for name in ["server-1", "server-2"]:
            self.assertIsNone(SERVICES[name]["environment"]["WELMS_STAFF_TOKEN"])

    def test_no_setting_is_passed_as_an_empty_string(self):
        for name in ["server-1", "server-2", "citus-migrate"]:
            for variable, value in SERVICES[name]["environment"].items():
                self.assertNotIn(value, ["", "${" + variable + ":-}", "${" + variable + "}"], variable)


if __name__ == "__main__":
    unittest.main()
