"""A server, with what the test API can do with it (docs/testing.md of Binnacle)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Mapping, Sequence

from .errors import RequestFailed

if TYPE_CHECKING:
    from .process import Binnacle


class Server:
    """A Kubernetes API server. Any client reaches it by ``kubeconfig``, a text."""

    def __init__(self, host: Binnacle, path: str, url: str, kubeconfig: str) -> None:
        self._host = host
        self._path = path
        self.url = url
        self.kubeconfig = kubeconfig

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends the server, and forgets what it holds."""
        parent, _, name = self._path.rpartition("/servers/")
        self._host.request("DELETE", f"{parent}/testing/v1/servers/{name}")

    def request(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        """Sends any request with the administrator's permissions, without a connection. Returns the content of the answer: JSON, or a text.

        A watch needs ``timeoutSeconds``, a patch the header ``content-type``. Raises RequestFailed for an error.
        """
        status, found = self._host._ask(method, self._path + path, body, dict(headers or {}))
        if status >= 400:
            raise RequestFailed(method, path, status, found)
        return found

    def _test(self, method: str, path: str, body: Any = None) -> Any:
        return self.request(method, f"/testing/v1/{path}", body)

    def create_server(
        self,
        name: str | None = None,
        *,
        snapshot: str | None = None,
        seed: str | None = None,
        simulate: bool | Mapping[str, Any] | None = None,
    ) -> Server:
        """Starts a server in this one, in some milliseconds: empty, or with a snapshot of this one.

        With a seed, its uids and generated names are the same in each run. ``simulate`` gives it Nodes that act as kubelets: ``{"nodes": 3}``.
        """
        name = name or f"t-{uuid.uuid4().hex[:12]}"
        wanted = {"snapshot": snapshot, "seed": seed, "simulate": simulate}
        made = self._test("PUT", f"servers/{name}", {key: value for key, value in wanted.items() if value is not None})
        return Server(self._host, f"{self._path}/servers/{name}", made["url"], made["kubeconfig"])

    def kubeconfig_for(self, user: str, groups: Sequence[str] = ()) -> str:
        """Returns the kubeconfig of a user, who may do what roles allow."""
        return self._test("POST", "kubeconfigs", {"user": user, "groups": list(groups)})["kubeconfig"]

    def kubeconfig_for_service_account(self, namespace: str, name: str) -> str:
        """Returns the kubeconfig of a ServiceAccount that is there."""
        return self._test("POST", "kubeconfigs", {"serviceAccount": f"{namespace}/{name}"})["kubeconfig"]

    def take_snapshot(self, name: str) -> None:
        """Keeps the present state under a name."""
        self._test("PUT", f"snapshots/{name}")

    def restore(self, name: str) -> None:
        """Goes back to a snapshot. Watches end, and clients list again."""
        self._test("POST", f"snapshots/{name}/restore")

    def now(self) -> str:
        """Returns the server's time, as ``2026-12-01T00:00:00.000Z``."""
        return self._test("GET", "clock")["now"]

    def freeze(self, at: str | None = None) -> None:
        """Makes the server's time stand still, then or now. ``at`` is a time as ``2026-12-01T00:00:00Z``."""
        self._test("POST", "clock/freeze", {"at": at} if at else {})

    def advance(self, by: str) -> None:
        """Moves a frozen clock on, as by ``1h30m``. What falls due has happened when this returns."""
        self._test("POST", "clock/advance", {"by": by})

    def release(self) -> None:
        """Follows the system's time again."""
        self._test("POST", "clock/release")

    def add_fault(self, **rule: Any) -> Fault:
        """Makes requests fail, as ``add_fault(verb="create", resource="pods", times=1, status=503)``. docs/testing.md has all fields."""
        return Fault(self, self._test("POST", "faults", rule)["id"])

    def clear_faults(self) -> None:
        """Removes all rules."""
        self._test("DELETE", "faults")

    def requests(self) -> str:
        """Returns what became of the last requests, and why, as a text."""
        return self._test("GET", "requests?format=text")


class Fault:
    """A rule by which requests fail."""

    def __init__(self, server: Server, id: Any) -> None:
        self._server = server
        self._id = id

    @property
    def count(self) -> int:
        """How many requests it has concerned."""
        return self._read()["count"]

    @property
    def hits(self) -> list[dict[str, Any]]:
        """These requests, each with its time, user, verb, resource, namespace and name."""
        return self._read()["hits"]

    def remove(self) -> None:
        self._server._test("DELETE", f"faults/{self._id}")

    def _read(self) -> dict[str, Any]:
        return self._server._test("GET", f"faults/{self._id}")
