import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def binnacle_setup():
    def setup(server):
        server.request("POST", "/api/v1/namespaces", {"metadata": {"name": "school"}})

    return setup
