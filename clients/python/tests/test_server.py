"""What a server of a test can do. The plugin gives each test its own."""

import base64
import json
import re
import ssl
import urllib.error
import urllib.request

import pytest

from binnacle_testing import BinnacleError, RequestFailed

MAPS = "/api/v1/namespaces/school/configmaps"


def make(server, name):
    return server.request("POST", MAPS, {"metadata": {"name": name}})


@pytest.mark.parametrize("run", [1, 2])
def test_begins_with_the_setup_and_shares_nothing(binnacle, run):
    assert make(binnacle, "a")["metadata"]["namespace"] == "school"


def test_is_reached_by_its_kubeconfig(binnacle, binnacle_kubeconfig, tmp_path):
    make(binnacle, "a")
    with open(binnacle_kubeconfig) as file:
        text = file.read()
    data = {key: base64.b64decode(value) for key, value in re.findall(r"(\S+)-data: (\S+)", text)}
    pem = tmp_path / "client.pem"
    pem.write_bytes(data["client-certificate"] + data["client-key"])
    context = ssl.create_default_context(cadata=data["certificate-authority"].decode())
    context.load_cert_chain(pem)
    with urllib.request.urlopen(f"{binnacle.url}{MAPS}/a", context=context) as answer:
        assert json.load(answer)["metadata"]["name"] == "a"


def test_serves_the_official_client(binnacle_kubeconfig):
    kubernetes = pytest.importorskip("kubernetes")
    with kubernetes.config.new_client_from_config(binnacle_kubeconfig) as client:
        core = kubernetes.client.CoreV1Api(client)
        core.create_namespaced_config_map("school", {"metadata": {"name": "a"}, "data": {"colour": "blue"}})
        assert core.read_namespaced_config_map("a", "school").data == {"colour": "blue"}


def test_goes_back_to_a_snapshot(binnacle):
    binnacle.take_snapshot("before")
    make(binnacle, "a")
    binnacle.restore("before")
    with pytest.raises(RequestFailed, match='configmaps "a" not found') as failure:
        binnacle.request("GET", f"{MAPS}/a")
    assert failure.value.status == 404


def test_goes_by_a_clock_of_its_own(binnacle):
    binnacle.freeze("2026-12-24T18:00:00Z")
    binnacle.advance("1h30m")
    assert binnacle.now() == "2026-12-24T19:30:00.000Z"
    assert make(binnacle, "a")["metadata"]["creationTimestamp"] == "2026-12-24T19:30:00Z"
    binnacle.release()
    assert binnacle.now() != "2026-12-24T19:30:00.000Z"


def test_makes_requests_fail(binnacle):
    fault = binnacle.add_fault(verb="create", resource="configmaps", times=1, status=503)
    with pytest.raises(RequestFailed) as failure:
        make(binnacle, "a")
    assert failure.value.status == 503
    make(binnacle, "a")
    assert fault.count == 1
    assert fault.hits[0]["resource"] == "configmaps"
    binnacle.add_fault(verb="get", reset=True)
    with pytest.raises(BinnacleError, match="the connection was reset"):
        binnacle.request("GET", f"{MAPS}/a")
    binnacle.clear_faults()
    binnacle.request("GET", f"{MAPS}/a")


def test_has_other_users(binnacle):
    for text in (binnacle.kubeconfig_for("alice", ["devs"]), binnacle.kubeconfig_for_service_account("school", "default")):
        assert binnacle.url in text
        assert text != binnacle.kubeconfig


def test_simulates_a_cluster_and_repeats_uids(binnacle_host):
    uids = set()
    for _ in range(2):
        with binnacle_host.create_server(seed="golden", simulate={"nodes": 2}) as server:
            nodes = server.request("GET", "/api/v1/nodes")["items"]
            assert len(nodes) == 2
            uids.add(nodes[0]["metadata"]["uid"])
    assert len(uids) == 1
