"""The games' modules for a page, written once."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the modules, made in a process of its own: constants are written down as they are there."""
    folder = tmp_path_factory.mktemp("modules")
    subprocess.run([sys.executable, "-m", "archipel.table.page_module", folder], check=True)
    return folder
