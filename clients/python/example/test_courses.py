"""Tests of what a school does with a Kubernetes API. Needs pip install binnacle-testing kubernetes, and npm install binnacle.

    pytest example
"""

import kubernetes
import pytest


@pytest.fixture(scope="session")
def binnacle_setup():
    """What all tests begin with."""
    course = {"metadata": {"name": "chess"}, "data": {"room": "library"}}
    return lambda server: server.request("POST", "/api/v1/namespaces/default/configmaps", course)


@pytest.fixture
def core(binnacle_kubeconfig):
    with kubernetes.config.new_client_from_config(binnacle_kubeconfig) as client:
        yield kubernetes.client.CoreV1Api(client)


def test_a_course_moves(core):
    core.patch_namespaced_config_map("chess", "default", {"data": {"room": "gym"}})
    assert core.read_namespaced_config_map("chess", "default").data["room"] == "gym"


def test_other_tests_do_not_see_it(core):
    assert core.read_namespaced_config_map("chess", "default").data["room"] == "library"


def test_a_write_fails_once(core, binnacle):
    fault = binnacle.add_fault(verb="delete", resource="configmaps", times=1, status=409)
    with pytest.raises(kubernetes.client.ApiException, match="409"):
        core.delete_namespaced_config_map("chess", "default")
    core.delete_namespaced_config_map("chess", "default")
    assert fault.count == 1


def test_a_course_begins_at_christmas(core, binnacle):
    binnacle.freeze("2026-12-24T18:00:00Z")
    made = core.create_namespaced_config_map("default", {"metadata": {"name": "carols"}})
    assert made.metadata.creation_timestamp.isoformat() == "2026-12-24T18:00:00+00:00"
