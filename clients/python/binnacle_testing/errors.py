"""What can go wrong."""

from __future__ import annotations

from typing import Any


class BinnacleError(Exception):
    """The server cannot be started, has ended, or gave no answer."""


class RequestFailed(BinnacleError):
    """The server answered with an error. ``status`` is the code, ``body`` usually a Kubernetes Status."""

    def __init__(self, method: str, path: str, status: int, body: Any) -> None:
        message = body.get("message") if isinstance(body, dict) else body
        super().__init__(f"{method} {path}: {status}: {message}")
        self.status = status
        self.body = body
