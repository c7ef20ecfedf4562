"""Finds Node.js and the npm package ``binnacle``."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .errors import BinnacleError

MAIN = Path("dist", "cli", "main.js")


def node() -> str:
    """Returns the program Node.js: ``BINNACLE_NODE``, or ``node`` in PATH."""
    named = os.environ.get("BINNACLE_NODE")
    found = shutil.which(named or "node")
    if found:
        return found
    if named:
        raise BinnacleError(f"BINNACLE_NODE is {named}, which is not a program")
    raise BinnacleError("there is no node in PATH: install Node.js 20.19 or newer, or set BINNACLE_NODE to the program")


def main_module() -> Path:
    """Returns the module to run: of ``BINNACLE_PATH``, of node_modules here or in a folder above, or of npm's global packages."""
    named = os.environ.get("BINNACLE_PATH")
    if named:
        if not (Path(named) / MAIN).is_file():
            raise BinnacleError(f"BINNACLE_PATH is {named}, where there is no {MAIN}: it must be the folder of the package binnacle")
        return Path(named).resolve() / MAIN
    here = Path.cwd()
    for folder in (here, *here.parents):
        main = folder / "node_modules" / "binnacle" / MAIN
        if main.is_file():
            return main
    npm = shutil.which("npm")
    if npm:
        root = subprocess.run([npm, "root", "--global"], capture_output=True, text=True, check=False).stdout.strip()
        main = Path(root, "binnacle") / MAIN
        if root and main.is_file():
            return main
    raise BinnacleError(
        f"binnacle is not installed in node_modules of {here} or of a folder above it, nor globally: "
        "run 'npm install binnacle', or set BINNACLE_PATH to the folder of the package"
    )
