#!/usr/bin/python3
"""ci/monitoring with a real Prometheus: a run's metrics.prom goes through node_exporter's textfile collector.

Catches: a metric or a label that an alert or a panel names and the report no longer has, an alert that never fires or
fires for a sound rig, a dashboard that Grafana cannot read.

    monitoring_test.py SOURCE_FOLDER RIGPROOF
"""
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request

PROGRAM, SOURCE = sys.argv.pop(), pathlib.Path(sys.argv.pop())
FOLDER, JOURNAL = SOURCE / "ci/monitoring", SOURCE / "tests/golden/journal.jsonl"
TOOLS = ("prometheus", "promtool", "prometheus-node-exporter")
DEADLINE = 60

if not all(map(shutil.which, TOOLS)):
    print(f"{' or '.join(TOOLS)} is missing: ci/setup --monitoring")
    sys.exit(77)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def dashboard():
    return json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))


class MonitoringTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *words):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        self.addCleanup(process.wait, DEADLINE)
        self.addCleanup(process.terminate)

    def monitor(self, runs):
        """Starts node_exporter and Prometheus on the metrics of `runs`: rig -> exit code."""
        run = self.folder / "run"
        run.mkdir()
        shutil.copy(JOURNAL, run)
        subprocess.run([PROGRAM, "report", str(run)], check=False, capture_output=True)  # the verdict of that run
        text = (run / "metrics.prom").read_text(encoding="utf-8")
        (self.folder / "textfile").mkdir()
        for rig, code in runs.items():
            of_rig = re.sub('rig="[^"]*"', f'rig="{rig}"', text)
            of_rig = re.sub(r"^(rigproof_run_exit_code{.*}) \d+$", rf"\1 {code}", of_rig, flags=re.M)
            (self.folder / f"textfile/{rig}.prom").write_text(of_rig, encoding="utf-8")
        exporter, self.port = free_port(), free_port()
        (self.folder / "prometheus.yml").write_text(
            "global: { scrape_interval: 1s, evaluation_interval: 1s }\n"
            f"rule_files: [{FOLDER}/alerts.yml]\n"
            f"scrape_configs: [{{ job_name: rig, static_configs: [{{ targets: ['127.0.0.1:{exporter}'] }}] }}]\n",
            encoding="utf-8")
        self.start("prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
                   "--collector.textfile.directory=textfile", f"--web.listen-address=127.0.0.1:{exporter}")
        self.start("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
                   f"--web.listen-address=127.0.0.1:{self.port}")

    def ask(self, expression):
        query = urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query?{query}", timeout=10) as answer:
            return json.load(answer)["data"]["result"]

    def wait_for(self, what):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                if found := what():
                    return found
            except OSError:
                pass
            time.sleep(0.2)
        raise AssertionError(f"not within {DEADLINE} s: {what}")

    def test_the_rules_hold_and_each_alert_fires(self):
        rules = (SOURCE / "tests/monitoring/alerts_test.yml").read_text(encoding="utf-8")
        test = self.folder / "test.yml"
        test.write_text(rules.replace("RULES", str(FOLDER / "alerts.yml")), encoding="utf-8")
        for words in (["check", "rules", str(FOLDER / "alerts.yml")], ["test", "rules", str(test)]):
            done = subprocess.run(["promtool", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_real_prometheus_fires_for_the_broken_rigs_alone(self):
        self.monitor({"sound": 0, "missed": 1, "failed": 2, "open": 3, "absent": 77})
        expected = {("RigNotQualified", "missed"), ("RigRunFailed", "failed"), ("RigNotProven", "open"), ("RigAbsent", "absent")}

        def firing():
            found = {(one["metric"]["alertname"], one["metric"]["rig"]) for one in self.ask('ALERTS{alertstate="firing"}')}
            return {one for one in found if one[0] != "RigNotTested"} == expected and len(found) > len(expected)

        self.wait_for(firing)

    def test_every_panel_has_data(self):
        self.monitor({"sound": 0})
        self.wait_for(lambda: self.ask("rigproof_run"))
        board = dashboard()
        for variable in ("$rig", "$profile"):
            self.assertIn(variable[1:], [one["name"] for one in board["templating"]["list"]])
        for panel in board["panels"]:
            for target in panel["targets"]:
                expression = target["expr"].replace("$rig", ".*").replace("$profile", ".*")
                self.assertNotIn("$", expression)
                # The recorded run has no latency.
                expression = expression.removesuffix(" > 0").replace('unit="s"', 'unit="bit/s"')
                self.assertTrue(self.ask(expression), f"{panel['title']}: {expression}")


if __name__ == "__main__":
    unittest.main()
