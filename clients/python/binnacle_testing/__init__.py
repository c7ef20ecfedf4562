"""Kubernetes API servers for tests. Starts Binnacle, a Node.js program, and ends it with the tests.

    from binnacle_testing import Binnacle

    with Binnacle() as binnacle:
        with binnacle.create_server() as server:
            client = kubernetes.config.new_client_from_config_dict(yaml.safe_load(server.kubeconfig))

With pytest, the fixtures ``binnacle`` and ``binnacle_kubeconfig`` do this (binnacle_testing.plugin).
"""

from .errors import BinnacleError, RequestFailed
from .process import Binnacle
from .server import Fault, Server

__all__ = ["Binnacle", "BinnacleError", "Fault", "RequestFailed", "Server"]
