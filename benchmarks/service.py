"""Latency and memory of the service under a fixed rate of requests, over loopback.

    python benchmarks/service.py [--model en-fast] [--rate 50] [--seconds 60] [--workers 2]
        [--task deidentify] [--size 2048] [--name NAME]

Starts `scrubjay serve` on a free port and sends it notes of `--size` characters, cut out of
en-notes dev, at a fixed rate, whether or not earlier ones are answered. A time counts from the
moment at which its request was due, so that a pause of the service is seen in all requests that
fell into it. Memory is that of the server and its workers together, once a second; `cpu ms` is
their processor time for each request, which other work on the machine disturbs least, and `load
before` tells how much of that there was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness import CONSOLE, RESULTS, Results, read_split, write_table
from svg import write_plot

NOTES = 500
WARM_SECONDS = 3.0
START_SECONDS = 300.0

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Load:
    """What came of the requests: when each was due, how long it took, what the answers were."""

    due: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    memory: list[tuple[float, float]] = field(default_factory=list)
    cpu: float = 0.0


def cut_notes(size: int, seed: int) -> list[bytes]:
    """Return requests with pieces of the dev notes."""
    text = "\n\n".join(document.text for document in read_split("en-notes", "dev"))
    draw = random.Random(seed)
    starts = [draw.randrange(len(text) - size) for _ in range(NOTES)]
    return [json.dumps({"text": text[start : start + size]}).encode() for start in starts]


async def ask(connection: Connection, head: str, body: bytes) -> str:
    """Send one request over a connection; return the status of the answer."""
    reader, writer = connection
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    await writer.drain()
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"content-length: (\d+)", answer, re.IGNORECASE)
    assert length is not None, "an answer without a length"
    await reader.readexactly(int(length[1]))
    return answer.split(" ", 2)[1]


async def connect(port: int, idle: list[Connection]) -> Connection:
    """Return a connection that is open: an idle one, unless the server has closed it, or a new."""
    while idle:
        connection = idle.pop()
        if not connection[0].at_eof():
            return connection
        connection[1].close()
    return await asyncio.open_connection("127.0.0.1", port)


async def send(
    port: int, head: str, bodies: Sequence[bytes], *, rate: float, seconds: float, load: Load
) -> None:
    """Send requests at a fixed rate, over as many connections as are busy at once."""
    idle: list[Connection] = []
    began = time.perf_counter()

    async def one(number: int) -> None:
        due = number / rate
        try:
            connection = await connect(port, idle)
            status = await asyncio.wait_for(ask(connection, head, bodies[number % NOTES]), 60)
            idle.append(connection)
        except (OSError, EOFError, TimeoutError) as error:
            status = type(error).__name__
        load.statuses[status] += 1
        load.due.append(due)
        load.seconds.append(time.perf_counter() - began - due)

    tasks = set()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        task = asyncio.ensure_future(one(number))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    for _, writer in idle:
        writer.close()


async def watch(process: int, load: Load) -> None:
    """Note the memory of a process and its children, once a second."""
    began = time.perf_counter()
    while True:
        load.memory.append((time.perf_counter() - began, resident(process)))
        await asyncio.sleep(1.0)


def family(process: int) -> list[int]:
    """Return a process and all that it has started, directly or not."""
    try:
        # Workers are children of the threads that feed them.
        tasks = Path(f"/proc/{process}/task").iterdir()
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []
    return [process, *(each for child in children for each in family(int(child)))]


def resident(process: int) -> float:
    """Return the resident memory of a process and all that it has started, in MiB."""
    total = 0.0
    for each in family(process):
        status = Path(f"/proc/{each}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        total += int(found[1]) / 1024 if found else 0.0
    return total


def processor_time(process: int) -> float:
    """Return the processor time of a process and all that it has started, in seconds."""
    total = 0
    for each in family(process):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def start(model: str, workers: int, log: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Start the service; return its process and port."""
    command = [
        sys.executable, "-m", "scrubjay.cli.main", "serve", "--model", model, "--port", "0",
        "--workers", str(workers),
    ]  # fmt: skip
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with log.open("wb") as file:
        server = subprocess.Popen(command, stderr=file, env=environment)
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"at http://127\.0\.0\.1:(\d+)", log.read_text("utf-8"))
        if found:
            return server, int(found[1])
        time.sleep(0.1)
    server.kill()
    raise SystemExit("the service did not start")


async def measure(server: int, port: int, options: argparse.Namespace) -> Load:
    """Warm up, then measure."""
    bodies = cut_notes(options.size, options.seed)
    head = (
        f"POST /v1/{options.task} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        "Content-Type: application/json\r\n"
    )
    await send(port, head, bodies, rate=options.rate, seconds=WARM_SECONDS, load=Load())
    load = Load()
    cpu = processor_time(server)
    watching = asyncio.ensure_future(watch(server, load))
    await send(port, head, bodies, rate=options.rate, seconds=options.seconds, load=load)
    watching.cancel()
    load.cpu = processor_time(server) - cpu
    return load


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def windows(load: Load, seconds: float) -> list[tuple[float, list[float]]]:
    """Return the times of the requests that were due in each window, with its end."""
    groups: dict[int, list[float]] = {}
    for due, took in zip(load.due, load.seconds, strict=True):
        groups.setdefault(int(due / seconds), []).append(took)
    return [((number + 1) * seconds, groups[number]) for number in sorted(groups)]


def report(load: Load, options: argparse.Namespace, idle_load: float) -> dict[str, Any]:
    """Return the row of a run."""
    memory = [size for _, size in load.memory]
    tenth = max(1, len(memory) // 10)
    return {
        "requests": len(load.seconds),
        "errors": sum(count for status, count in load.statuses.items() if status != "200"),
        "statuses": dict(load.statuses),
        "p50 ms": round(1000 * quantile(load.seconds, 0.5), 1),
        "p90 ms": round(1000 * quantile(load.seconds, 0.9), 1),
        "p99 ms": round(1000 * quantile(load.seconds, 0.99), 1),
        "cpu ms": round(1000 * load.cpu / len(load.seconds), 1),
        "longest ms": round(1000 * max(load.seconds), 1),
        "MiB, first tenth": round(statistics.median(memory[:tenth])),
        "MiB, last tenth": round(statistics.median(memory[-tenth:])),
        "load before": round(idle_load, 2),
        "workers": options.workers,
        "size": options.size,
    }


def plot(name: str, load: Load, seconds: float) -> None:
    """Draw latency and memory over the run."""
    step = max(1.0, seconds / 30)
    grouped = windows(load, step)
    lines = {
        label: [(end, 1000 * quantile(times, share)) for end, times in grouped]
        for label, share in (("p50", 0.5), ("p99", 0.99))
    }
    write_plot(
        RESULTS / f"service-{name}-latency.svg", "Latency at a fixed rate", lines,
        x="seconds", y="milliseconds",
    )  # fmt: skip
    write_plot(
        RESULTS / f"service-{name}-memory.svg", "Memory of the server and its workers",
        {"MiB": load.memory}, x="seconds", y="MiB",
    )  # fmt: skip


def main() -> None:
    """Measure and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="en-fast")
    parser.add_argument("--task", default="deidentify", choices=["deidentify", "detect"])
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--name", default="")
    options = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        server, port = start(options.model, options.workers, Path(folder) / "log")
        try:
            load = asyncio.run(measure(server.pid, port, options))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=120)
    name = options.name or f"{options.model}-{options.seconds:g}s"
    row = report(load, options, before)
    results = Results("service")
    results.save(f"{name} {options.task} {options.rate:g}/s", row, seed=options.seed)
    plot(name, load, options.seconds)
    head = [key for key in row if key != "statuses"]
    rows = [[key, *(entry.get(column, "") for column in head)]
            for key, entry in results.rows.items()]  # fmt: skip
    write_table("service", "The service at a fixed rate of requests", ["run", *head], rows)
    CONSOLE.print(row)


if __name__ == "__main__":
    main()
