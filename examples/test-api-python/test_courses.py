"""Tests in Python with Binnacle's test API: one server for all tests, of which each gets a copy. Needs the standard library only.

    BINNACLE="node dist/cli/main.js" python3 -m unittest discover -s examples/test-api-python -v
"""

import base64
import json
import os
import re
import shlex
import ssl
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


class Server:
    """A server by its URL: /api and /apis are Kubernetes, /testing/v1 is the test kit."""

    def __init__(self, url, context):
        self.url = url
        self.context = context

    def ask(self, method, path, body=None):
        """Returns the code of the answer and its object."""
        request = urllib.request.Request(self.url + path, method=method, headers={"Authorization": "Bearer admin"})
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, context=self.context) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode()
                return error.code, json.loads(text) if text.startswith("{") else text

    def must(self, method, path, body=None):
        code, answer = self.ask(method, path, body)
        if code >= 400:
            raise AssertionError(f"{method} {path}: {code} {answer}")
        return answer


def start_binnacle(folder):
    """Starts a server in memory whose admin has the token "admin"; returns the process and the server."""
    tokens = os.path.join(folder, "tokens.csv")
    with open(tokens, "w") as file:
        file.write('admin,admin,1,"system:masters"\n')
    kubeconfig = os.path.join(folder, "kubeconfig")
    process = subprocess.Popen(
        [
            *shlex.split(os.environ.get("BINNACLE", "npx binnacle")),
            "serve",
            "--test-api",
            "--storage-backend=memory",
            "--secure-port=0",
            f"--token-auth-file={tokens}",
            f"--kubeconfig-out={kubeconfig}",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    for line in process.stdout:
        if found := re.search(r"https://\S+", line):
            break
    else:
        raise RuntimeError(f"the server ended with {process.wait()}")
    with open(kubeconfig) as file:
        authority = re.search(r"certificate-authority-data: (\S+)", file.read())[1]
    context = ssl.create_default_context(cadata=base64.b64decode(authority).decode())
    return process, Server(found[0], context)


def setUpModule():
    global folder, process, binnacle
    folder = tempfile.TemporaryDirectory()
    process, binnacle = start_binnacle(folder.name)
    # what all tests begin with
    binnacle.must("POST", CONFIG_MAPS, {"metadata": {"name": "course"}, "data": {"room": "library"}})
    binnacle.must("PUT", "/testing/v1/snapshots/seeded")


def tearDownModule():
    process.terminate()
    process.wait()
    process.stdout.close()
    folder.cleanup()


class Courses(unittest.TestCase):
    def setUp(self):
        """Each test has a server of its own, which begins with the snapshot."""
        name = re.sub("[^a-z0-9]", "-", self._testMethodName)
        made = binnacle.must("PUT", f"/testing/v1/servers/{name}", {"snapshot": "seeded"})
        self.addCleanup(binnacle.must, "DELETE", f"/testing/v1/servers/{name}")
        self.server = Server(made["url"], binnacle.context)

    def test_begins_with_the_snapshot(self):
        self.assertEqual(self.server.must("GET", f"{CONFIG_MAPS}/course")["data"], {"room": "library"})

    def test_may_change_everything(self):
        self.server.must("DELETE", f"{CONFIG_MAPS}/course")
        self.assertEqual(self.server.ask("GET", f"{CONFIG_MAPS}/course")[0], 404)

    def test_goes_by_a_clock_of_its_own(self):
        self.server.must("POST", "/testing/v1/clock/freeze", {"at": "2026-12-24T18:00:00Z"})
        self.server.must("POST", "/testing/v1/clock/advance", {"by": "1h30m"})
        made = self.server.must("POST", CONFIG_MAPS, {"metadata": {"name": "late"}})
        self.assertEqual(made["metadata"]["creationTimestamp"], "2026-12-24T19:30:00Z")

    def test_sees_a_fault(self):
        rule = {"verb": "create", "resource": "configmaps", "times": 1, "status": 503}
        code, fault = self.server.ask("POST", "/testing/v1/faults", rule)
        if code == 404:
            self.skipTest("this Binnacle has no faults")
        self.assertEqual(self.server.ask("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})[0], 503)
        self.assertEqual(self.server.ask("POST", CONFIG_MAPS, {"metadata": {"name": "a"}})[0], 201)
        self.assertEqual(self.server.must("GET", f"/testing/v1/faults/{fault['id']}")["count"], 1)


if __name__ == "__main__":
    unittest.main()
