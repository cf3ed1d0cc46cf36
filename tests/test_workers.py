"""A worker process carries out tasks in order, notices the end of its parent, and is never left behind."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from archipel.workers import WorkerLost, WorkerProcess

from .patience import PATIENCE


def answer(task: object) -> object:
    """What a worker here does: it dies of "die", never answers "sleep", and returns anything else."""
    if task == "die":
        os._exit(1)
    if task == "sleep":
        time.sleep(600)
    return task


@pytest.fixture
def worker() -> WorkerProcess:
    return WorkerProcess(answer)


def test_answers_come_in_the_order_of_the_tasks(worker: WorkerProcess) -> None:
    worker.wait_until_ready(PATIENCE)
    worker.send(1)
    worker.send(2)
    assert [worker.receive(PATIENCE), worker.receive(PATIENCE)] == [1, 2]
    worker.stop()


def test_a_worker_that_dies_is_lost(worker: WorkerProcess) -> None:
    worker.send("die")
    with pytest.raises(WorkerLost):
        worker.receive(PATIENCE)
    worker.process.join()
    with pytest.raises(WorkerLost):
        worker.send(1)
    worker.stop()
    worker.kill()


def test_a_worker_that_does_not_answer_in_time_is_lost_and_can_be_stopped(worker: WorkerProcess) -> None:
    worker.wait_until_ready(PATIENCE)
    worker.send("sleep")
    with pytest.raises(WorkerLost):
        worker.receive(0.01)
    worker.stop()


@pytest.mark.parametrize("how", ["released", "terminated"])
def test_a_worker_cleans_up_before_it_exits(how: str, tmp_path: Path) -> None:
    worker = WorkerProcess(answer, partial(Path.touch, tmp_path / "cleaned"))
    worker.wait_until_ready(PATIENCE)
    if how == "released":
        worker.release()
    else:
        worker.process.terminate()
    worker.process.join(PATIENCE)
    assert worker.process.exitcode == 0
    assert (tmp_path / "cleaned").exists()
    worker.stop(PATIENCE)


@pytest.mark.skipif(sys.platform == "win32", reason="processes do not get SIGINT one by one on Windows")
def test_a_worker_ignores_interrupts_and_ends_with_its_parent() -> None:
    """The parent is killed, so it can stop nothing itself; what it shares with its worker is then closed."""
    code = (
        "from archipel.workers import WorkerProcess; from tests.test_workers import answer; import sys\n"
        "if __name__ == '__main__':\n"
        "    worker = WorkerProcess(answer); worker.wait_until_ready(600); worker.send('sleep')\n"
        "    print(worker.process.pid, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        os.kill(pid, signal.SIGINT)
        assert parent.poll() is None
        assert is_running(pid)
        parent.kill()
    deadline = time.monotonic() + PATIENCE
    while is_running(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")  # a zombie that nobody reaps in a container has ended, too
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
