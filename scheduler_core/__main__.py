"""The command line: ``python -m scheduler_core simulate | evaluate | bench``.

The one rule: this is the only module of the engine that reads files or links, writes to the terminal or looks at a clock.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from scheduler_core import (
    InputLimits,
    InvalidInputError,
    Outcome,
    Replay,
    RunLimits,
    SecondAct,
    Simulation,
    encode_event,
    holds,
    load,
    tell,
    with_missing_nodes,
)
from scheduler_core.benchmark import WORKLOADS
from scheduler_core.benchmark import run as run_benchmark
from scheduler_core.conformance import answer

MOST_FETCHED: Final = 64 * 1024 * 1024
FETCH_SECONDS: Final = 30.0
LARGE = InputLimits(json_bytes=1 << 30, yaml_bytes=1 << 28, nodes=100_000, pods=1_000_000)
UNLIMITED = RunLimits(cycles=10_000_000)
MOST_TOLD = 200
"""Nodes up to which the story says what was decided on each."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 for a claim that does not hold, or 2 for input that cannot be used."""
    args = _parser().parse_args(argv)
    try:
        status: int = args.command(args)
    except InvalidInputError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return status


def simulate(args: argparse.Namespace) -> int:
    """Run a file of objects or a Scenario to its end."""
    loaded = load(_source(args.file), limits=LARGE)
    for warning in loaded.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    scenario = with_missing_nodes(loaded.scenario) if args.missing_nodes else loaded.scenario
    replay, act = Replay(), SecondAct()
    kept: list[Mapping[str, Any]] = []
    for event in _events(Simulation(scenario, limits=UNLIMITED, trace=_tells_reasons(args, loaded.counts.get("Node", 0)))):
        replay.apply(event)
        if args.expect:
            kept.append(event)
        _show(event, args.format, act)
    if args.format == "result":
        print(json.dumps(replay.result()))
    return _check(args.expect, Outcome(kept, replay.result()))


def evaluate(args: argparse.Namespace) -> int:
    """Conformance cases as JSON lines in, answers as JSON lines out, in the same order."""
    for line in sys.stdin:
        if line.strip():
            case = json.loads(line)
            print(json.dumps(_answer(case)), flush=True)
    return 0


def bench(args: argparse.Namespace) -> int:
    """One workload, one JSON line."""
    print(json.dumps(run_benchmark(args.workload, args.nodes, args.pods, time.perf_counter).document()))
    return 0


def _answer(case: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return answer(case)
    except InvalidInputError as error:
        return {"name": case.get("name"), "error": "; ".join(str(problem) for problem in error.problems)}


def _tells_reasons(args: argparse.Namespace, nodes: int) -> bool:
    if args.expect or args.format == "jsonl":
        return True
    if args.format == "result":
        return False
    if nodes > MOST_TOLD:
        print(f"{nodes} nodes: the story leaves single nodes out; --format jsonl has them all", file=sys.stderr)
    return nodes <= MOST_TOLD


def _events(simulation: Simulation) -> Iterator[dict[str, Any]]:
    return (event.document() for event in simulation.events())


def _show(event: Mapping[str, Any], form: str, act: SecondAct) -> None:
    if form == "jsonl":
        sys.stdout.buffer.write(encode_event(event) + b"\n")
    elif form == "text":
        told = tell(event, act)
        indent = "" if event["kind"] in ("run.started", "run.finished", "cycle.started") else "    " if event["phase"] else "  "
        if not event["path"].startswith("setup/"):
            print(f"{event['t']:>8.3f}s  {indent}{told}")


def _check(expressions: Sequence[str], outcome: Outcome) -> int:
    failed = [expression for expression in expressions if not holds(expression, outcome)]
    for expression in failed:
        print(f"does not hold: {expression}", file=sys.stderr)
    return 1 if failed else 0


def _source(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    return _fetch(name) if name.startswith(("http://", "https://")) else _read(Path(name))


def _fetch(address: str) -> bytes:
    """The scenario behind a link of a playground: ``/s/<id>``, ``/r/<run>``, with or without a step, or any address of a document.

    Only http and https are spoken, redirects included; MOST_FETCHED bytes and FETCH_SECONDS for each answer. Raises SystemExit.
    """
    parts = urlsplit(address)
    site = f"{parts.scheme}://{parts.netloc}"
    head, _, name = parts.path.strip("/").rpartition("/")
    if "." in name or head not in {"s", "r", "e", ""}:
        return _get(address)
    if head == "r":
        name = str(json.loads(_get(f"{site}/api/v1/runs/{name}"))["scenario"])
    return _get(f"{site}/s/{name}.json")


def _get(address: str) -> bytes:
    opener = OpenerDirector()
    for handler in (HTTPHandler(), HTTPSHandler(), HTTPRedirectHandler(), HTTPErrorProcessor(), HTTPDefaultErrorHandler(), ProxyHandler()):
        opener.add_handler(handler)
    deadline = time.monotonic() + FETCH_SECONDS
    try:
        with opener.open(Request(address, headers={"Accept": "application/json, application/yaml"}), timeout=FETCH_SECONDS) as answer:
            return _within(answer, address, deadline)
    except (OSError, ValueError, HTTPException) as error:
        raise SystemExit(f"{address}: {error}") from error


def _within(answer: Any, address: str, deadline: float) -> bytes:
    source = bytearray()
    while part := answer.read1(1 << 16):
        source += part
        if len(source) > MOST_FETCHED:
            raise SystemExit(f"{address}: more than {MOST_FETCHED} bytes")
        if time.monotonic() > deadline:
            raise SystemExit(f"{address}: not there after {FETCH_SECONDS:g} s")
    return bytes(source)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scheduler_core", description="kube-scheduler's decisions, step by step")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("simulate", help="run Kubernetes objects or a Scenario to the end")
    one.add_argument("file", help="YAML or JSON, a file or a link of a playground; - for standard input")
    one.add_argument("--format", choices=("text", "jsonl", "result"), default="text", help="a story, the event log, or only the result")
    one.add_argument(
        "--expect", action="append", default=[], metavar="EXPR", help="a claim such as 'victims == [\"shop/a\"]'; exit 1 if false"
    )
    one.add_argument("--missing-nodes", action="store_true", help="make up the nodes that bound pods name")
    one.set_defaults(command=simulate)
    two = commands.add_parser("evaluate", help="answer conformance cases: JSON lines in, JSON lines out")
    two.set_defaults(command=evaluate)
    three = commands.add_parser("bench", help="measure a workload")
    three.add_argument("--workload", choices=WORKLOADS, required=True)
    three.add_argument("--nodes", type=_at_least_one, required=True)
    three.add_argument("--pods", type=_at_least_one, default=None)
    three.set_defaults(command=bench)
    return parser


def _at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
