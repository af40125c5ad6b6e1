# Tests the metrics of a running server: promtool accepts each metric family, client input never becomes a label, and
# the example alerts use existing metrics and fire on their faults.

import http.client
import os
import random
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from live import HERE, ROOT, LiveTest

PROMTOOL = os.environ.get("PROMTOOL", os.path.join(ROOT, ".build/promtool"))
ALERTS = os.path.join(ROOT, "Sources/Web/Metrics/alerts.yml")
MAIL_SERVER = os.path.join(ROOT, "Tests/Tools/Mail/smtp.py")
FAMILIES = os.path.join(ROOT, "Sources/Web/Metrics/ShopMetrics.swift")


class MetricsTests(LiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # The metrics of replicas need a replica. The database itself serves as one without lag.
        cls.shop.stop()
        # The metrics of mail need a mail server.
        port = random.randint(20000, 32000)
        mail_server = subprocess.Popen(
            ["/usr/bin/python3", "-B", MAIL_SERVER, str(port), os.devnull], stdout=subprocess.PIPE
        )
        cls.addClassCleanup(mail_server.communicate)
        cls.addClassCleanup(mail_server.kill)
        mail_server.stdout.readline()
        cls.shop.arguments += ("--replica-url", cls.shop.database_url("welms_server"))
        cls.shop.arguments += ("--smtp-url", f"smtp://127.0.0.1:{port}", "--mail-from", "orders@shop.example")
        cls.shop.arguments += ("--rate-limit-checkouts", "off")
        cls.shop.start()
        deadline = time.monotonic() + 30
        while b'welms_replica_behind_seconds{replica="1"} 0' not in cls.get("/metrics") and time.monotonic() < deadline:
            time.sleep(0.1)
        for guest in range(20):
            cls.order(guest)
        while b'welms_mails_total{outcome="sent"} 20' not in cls.get("/metrics") and time.monotonic() < deadline:
            time.sleep(0.1)
        cls.ask("POST", "/v1/checkout", b"{}", {"Content-Type": "application/json", "Idempotency-Key": "k"})
        cls.text = cls.get("/metrics").decode()

    @classmethod
    def ask(cls, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", cls.shop.port, timeout=10)
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body)
        status = connection.getresponse().status
        connection.close()
        return status

    def promtool(self, *arguments, directory=None, text=None):
        done = subprocess.run([PROMTOOL, *arguments], cwd=directory, input=text, capture_output=True, text=True)
        # promtool reports lint errors on standard error, with exit status 3.
        self.assertEqual((done.returncode, done.stderr.strip()), (0, ""), done.stdout)

    def test_metrics(self):
        """promtool accepts the metrics, and each metric family has values"""
        self.promtool("check", "metrics", text=self.text)
        with open(FAMILIES) as source:
            families = set(re.findall(r'"(welms_\w+)": \.init\(', source.read()))
        self.assertGreater(len(families), 15)
        for family in families:
            self.assertRegex(self.text, rf"(?m)^# TYPE {family} (counter|gauge|histogram)$")
            self.assertRegex(self.text, rf"(?m)^{family}(_count)?(\{{.*\}})? [0-9.e+-]+$")

    def test_labels(self):
        """Client input never becomes a label"""
        def labels(text):
            return {
                name: set(re.findall(rf'[{{,]{name}="([^"]*)"', text)) for name in set(re.findall(r'[{,](\w+)="', text))
            }
        before = labels(self.text)
        for number in range(300):
            mark = f"hostile{number}"
            self.ask(mark.upper(), "/v1/menu")
            self.ask("GET", f"/{mark}/v1/menu")
            self.ask(
                "GET",
                f"/v1/menu/{mark}?{mark}={mark}",
                headers={"X-Request-Id": mark, "traceparent": mark, "Host": mark},
            )
            body = b'{"name": "%s", "coupon": "%s", "%s": 1}' % ((mark.encode(),) * 3)
            self.ask("POST", "/v1/checkout", body, {"Content-Type": "application/json", "Idempotency-Key": mark})
            body = b'{"name": "%s", "coupon": "%s"}' % ((mark.encode(),) * 2)
            self.ask("POST", "/v1/checkout", body, {"Content-Type": "application/json", "Idempotency-Key": mark})
        text = self.get("/metrics").decode()
        self.assertNotIn("hostile", text.lower())
        after = labels(text)
        # Rejections add new statuses and codes, which the server defines.
        self.assertEqual({name for name in after if after[name] != before.get(name)} - {"status", "code"}, set())
        self.assertLess(len(after["status"] - before["status"]), 10)
        self.assertLess(len(after["code"] - before["code"]), 20)
        self.promtool("check", "metrics", text=text)

    def test_alerts(self):
        """The example alerts are valid, use existing metrics, and each one fires on its fault"""
        with tempfile.TemporaryDirectory() as directory:
            for file in (ALERTS, os.path.join(HERE, "alerts_test.yml")):
                shutil.copy(file, directory)
            self.promtool("check", "rules", "alerts.yml", directory=directory)
            self.promtool("test", "rules", "alerts_test.yml", directory=directory)
        with open(ALERTS) as file:
            alerts = file.read()
        for name in set(re.findall(r"\bwelms_\w+", alerts)):
            self.assertRegex(self.text, rf"(?m)^{name}(_bucket)?[ {{]")
        with open(os.path.join(HERE, "alerts_test.yml")) as file:
            tested = file.read()
        for name in re.findall(r"alert: (\w+)", alerts):
            self.assertIn(f'alertname="{name}"', tested)


if __name__ == "__main__":
    unittest.main()
