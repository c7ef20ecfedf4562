"""How the process starts and ends."""

import os
import signal
import subprocess
import sys
import time

import pytest

from binnacle_testing import Binnacle, BinnacleError, locate


def has_ended(pid, seconds=20):
    """Whether a process ends soon. One that has ended and that nobody has waited for still has a number, and no command."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            with open(f"/proc/{pid}/cmdline") as file:
                if not file.read():
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_ends_and_says_so():
    with Binnacle() as binnacle:
        assert binnacle.kubernetes_version.startswith("v1.")
        process = binnacle.popen
    assert process.returncode == 0
    with pytest.raises(BinnacleError, match="has been stopped"):
        binnacle.now()


def test_says_what_a_wrong_flag_is():
    with pytest.raises(BinnacleError, match="unknown flag --nodess; did you mean --nodes"):
        Binnacle(["--nodess=3"])


def test_says_why_it_has_ended():
    with Binnacle() as binnacle:
        binnacle.popen.kill()
        with pytest.raises(BinnacleError, match="Binnacle ended with -9: .*Serving securely"):
            while True:
                binnacle.now()


@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="looks for the process in /proc")
def test_ends_with_a_test_that_is_killed():
    program = "from binnacle_testing import Binnacle; print(Binnacle().pid, flush=True); input()"
    test = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    pid = int(test.stdout.readline())
    assert not has_ended(pid, seconds=0.1)
    test.send_signal(signal.SIGKILL)
    test.wait()
    assert has_ended(pid)
    test.stdin.close()
    test.stdout.close()


def test_finds_the_package(tmp_path, monkeypatch):
    main = tmp_path / "node_modules" / "binnacle" / locate.MAIN
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    monkeypatch.delenv("BINNACLE_PATH", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BinnacleError, match="run 'npm install binnacle'"):
        locate.main_module()
    main.parent.mkdir(parents=True)
    main.touch()
    assert locate.main_module() == main
    monkeypatch.setenv("BINNACLE_PATH", str(below))
    with pytest.raises(BinnacleError, match="must be the folder of the package binnacle"):
        locate.main_module()
    monkeypatch.setenv("BINNACLE_PATH", str(main.parents[2]))
    assert locate.main_module() == main


def test_finds_node(monkeypatch):
    monkeypatch.setenv("BINNACLE_NODE", "nosuch")
    with pytest.raises(BinnacleError, match="BINNACLE_NODE is nosuch"):
        locate.node()
    monkeypatch.delenv("BINNACLE_NODE")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BinnacleError, match="install Node.js"):
        locate.node()
