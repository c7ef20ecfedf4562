"""The pytest plugin: one process for all tests, and a server of its own for each test, which begins with the same objects."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Callable, Iterator

import pytest

from .errors import BinnacleError
from .process import Binnacle
from .server import Server

_server = pytest.StashKey[Server]()
_setup = "setup"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("binnacle_flags", "flags of 'binnacle serve', as --simulate", type="string", default="")


@pytest.fixture(scope="session")
def binnacle_setup() -> Callable[[Server], None]:
    """Override it to make what all tests begin with: it returns a function that is given the server, once."""
    return lambda server: None


@pytest.fixture(scope="session")
def binnacle_host(pytestconfig: pytest.Config, binnacle_setup: Callable[[Server], None]) -> Iterator[Binnacle]:
    """The server that has those of the tests in it. It runs until the last test has ended."""
    with Binnacle(shlex.split(pytestconfig.getini("binnacle_flags"))) as host:
        binnacle_setup(host)
        host.take_snapshot(_setup)
        yield host


@pytest.fixture
def binnacle(request: pytest.FixtureRequest, binnacle_host: Binnacle) -> Iterator[Server]:
    """A server for this test alone."""
    with binnacle_host.create_server(snapshot=_setup) as server:
        request.node.stash[_server] = server
        yield server


@pytest.fixture
def binnacle_kubeconfig(binnacle: Server, tmp_path: Path) -> str:
    """The path of a kubeconfig for ``binnacle``: of its administrator."""
    path = tmp_path / "kubeconfig"
    path.touch(mode=0o600)
    path.write_text(binnacle.kubeconfig)
    return str(path)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """A test that fails shows what it has asked the server, and why that was answered as it was."""
    outcome = yield
    report = outcome.get_result()
    server = item.stash.get(_server, None)
    if report.when == "call" and report.failed and server:
        try:
            report.sections.append(("requests to Binnacle", server.requests()))
        except BinnacleError as error:
            report.sections.append(("requests to Binnacle", str(error)))
