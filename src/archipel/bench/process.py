"""A server in a separate process, and its resource usage."""

import os
import re
import subprocess
from pathlib import Path


class Process:
    """A process that is measured from outside: its CPU seconds are its own, however busy the machine is."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | environment,
        )

    def wait_for(self, pattern: str) -> str:
        """Wait for a line of output that matches the pattern; return the first group."""
        assert self.process.stdout
        while line := self.process.stdout.readline():
            if found := re.search(pattern, line):
                return found[1]
        raise RuntimeError("The server did not start.")

    def memory(self) -> int:
        """Its resident memory in bytes."""
        found = re.search(r"VmRSS:\s+(\d+) kB", self._proc("status").read_text("utf-8"))
        return int(found[1]) * 1024 if found else 0

    def cpu(self) -> float:
        """Its CPU seconds, all threads together."""
        fields = self._proc("stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def waited(self) -> float:
        """The seconds that it was ready to run, but had to wait for a core."""
        tasks = self._proc("task").iterdir()
        return sum(int((task / "schedstat").read_text("utf-8").split()[1]) for task in tasks) / 1e9

    def _proc(self, name: str) -> Path:
        return Path(f"/proc/{self.process.pid}/{name}")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        if self.process.stdout:
            self.process.stdout.close()
