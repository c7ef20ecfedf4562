"""The process of a server, and the lines of JSON by which it is asked."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from concurrent.futures import Future, TimeoutError
from typing import Any, Sequence

from . import locate
from .errors import BinnacleError
from .server import Server

# Node's flags keep the process small; the others make a server in memory, on a free port, with the test API.
NODE_FLAGS = ("--v8-pool-size=1", "--max-semi-space-size=8")
FLAGS = ("--stdio", "--test-api", "--storage-backend=memory", "--secure-port=0")
START_SECONDS = 60
ANSWER_SECONDS = 120
STOP_SECONDS = 10


class Binnacle(Server):
    """A server of this process. It ends with ``stop()``, with the ``with`` block, and with the process, even if that is killed.

    ``flags`` are those of ``binnacle serve``, as ``--simulate`` or ``--snapshot=FILE``.
    """

    def __init__(self, flags: Sequence[str] = ()) -> None:
        command = [locate.node(), *NODE_FLAGS, str(locate.main_module()), "serve", *FLAGS, *flags]
        self._log = tempfile.TemporaryFile()
        self._lock = threading.Lock()
        self._waiting: dict[int, Future[dict[str, Any]]] = {}
        self._last_id = 0
        self._ended = False
        self.popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        ready: Future[dict[str, Any]] = Future()
        self._waiting[0] = ready
        self._reader = threading.Thread(target=self._read, name="binnacle", daemon=True)
        self._reader.start()
        try:
            hello = self._result(ready, START_SECONDS, "it serves")
        except BaseException:
            self.stop()
            raise
        super().__init__(self, "", hello["url"], hello["kubeconfig"])
        #: The versions of Binnacle and of the Kubernetes API: ``1.0.0`` and ``v1.37.2``.
        self.version: str = hello["binnacle"]
        self.kubernetes_version: str = hello["kubernetes"]
        self.pid: int = hello["pid"]

    def stop(self) -> None:
        """Ends the server, with all servers in it."""
        with self._lock:
            self._ended = True
            try:
                self.popen.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self.popen.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        self._reader.join()
        self.popen.stdout.close()
        self._log.close()

    def _ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """Sends a request with the administrator's permissions. Returns the code and the content of the answer."""
        answer: Future[dict[str, Any]] = Future()
        with self._lock:
            if self._ended:
                raise self._end()
            self._last_id += 1
            request = {"id": self._last_id, "method": method, "path": path}
            if body is not None:
                request["body"] = body
            if headers:
                request["headers"] = headers
            self._waiting[self._last_id] = answer
            try:
                self.popen.stdin.write(json.dumps(request).encode() + b"\n")
                self.popen.stdin.flush()
            except OSError:
                pass  # the server has ended, and the reader says so
        found = self._result(answer, ANSWER_SECONDS, f"it answers {method} {path}")
        if "error" in found:
            raise BinnacleError(f"{method} {path}: {found['error']}")
        return found["status"], found.get("body")

    def _read(self) -> None:
        """Brings each line to the thread that waits for it. Runs in a thread of its own."""
        for line in self.popen.stdout:
            answer = json.loads(line)
            with self._lock:
                waiting = self._waiting.pop(answer.get("id", 0), None)
            if waiting:
                waiting.set_result(answer)
        with self._lock:
            self._ended = True
            left, self._waiting = self._waiting, {}
        for waiting in left.values():
            waiting.set_exception(self._end())

    def _result(self, answer: Future[dict[str, Any]], seconds: float, what: str) -> dict[str, Any]:
        try:
            return answer.result(seconds)
        except TimeoutError:
            raise BinnacleError(f"Binnacle takes longer than {seconds} seconds until {what}") from None

    def _end(self) -> BinnacleError:
        if self._log.closed:
            return BinnacleError("Binnacle has been stopped")
        code = self.popen.wait()
        self._log.seek(0)
        text = self._log.read().decode(errors="replace").strip()
        return BinnacleError(f"Binnacle ended with {code}: {text[-2000:] or 'it said nothing'}")
