"""``make bench``: measures, prints the table, writes docs/benchmark.json. ``make bench PART=engine`` measures one part again.

The one rule: figures come with the machine they were measured on; a part that cannot be measured says why, and the others go on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Any, Final

from tests.bench import machine
from tests.bench.figures import Figure
from tests.bench.parts import engine, page, stream
from tests.bench.site import ROOT

STORED: Final = ROOT / "docs" / "benchmark.json"
Measure = Callable[[], Iterator[Figure]]


def parts(loop_seconds: float) -> Mapping[str, Measure]:
    """Every part by its name, in the order of the table."""
    return {
        "engine": partial(engine.workloads, loop_seconds),
        "openb": engine.real_cluster,
        "trace": engine.trace,
        "memory": engine.memory,
        "press": page.press,
        "stream": lambda: chain(stream.one_viewer(), page.browser_stream()),
        "viewers": stream.crowds,
        "steps": page.steps,
    }


NAMES: Final = (*parts(1.0), "curve")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 when a part could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("part", nargs="*", choices=(*NAMES, []), help="which parts; all without")
    parser.add_argument("--no-save", action="store_true", help="print only")
    args = parser.parse_args(arguments)
    here = machine.describe()
    print(f"{here['cpu']}, {here['cores']} cores, ten million steps in {here['loop_s']} s, load {here['load']}", flush=True)
    stored = _stored(here)
    wanted = args.part or NAMES
    failed = []
    for name in wanted:
        if not _measured(name, here, stored):
            failed.append(name)
        elif not args.no_save:  # after each part: who stops it keeps what is there
            STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(table(stored["figures"], wanted))
    if not args.no_save:
        print(f"\nWritten to {STORED.relative_to(ROOT)}; shown at /docs/benchmark.")
    return 1 if failed else 0


def _stored(here: dict[str, Any]) -> dict[str, Any]:
    """What was measured before on this machine; parts that are measured again take its place."""
    found: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    if found.get("machine", {}).get("cpu") != here["cpu"]:
        found = {}
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return {
        "machine": here,
        "date": now,
        "command": "make bench",
        "figures": found.get("figures", []),
        "curves": found.get("curves", {}),
    }


def _measured(name: str, here: dict[str, Any], stored: dict[str, Any]) -> bool:
    print(f"- {name} …", end=" ", flush=True)
    began = time.monotonic()
    try:
        if name == "curve":
            stored["curves"] = engine.curves()
        else:
            found = [figure.document() for figure in parts(here["loop_s"])[name]()]
            others = [each for each in stored["figures"] if each["part"] != name]
            stored["figures"] = sorted([*others, *found], key=lambda each: NAMES.index(each["part"]))
    except Exception as error:
        print(f"could not be measured: {error}", flush=True)
        traceback.print_exc(file=sys.stderr)
        return False
    print(f"{time.monotonic() - began:.0f} s", flush=True)
    return True


def table(figures: Sequence[Mapping[str, Any]], wanted: Sequence[str]) -> str:
    """The figures as lines for a terminal."""
    rows = [("what", "at least", "aim", "measured", "reached")]
    for each in figures:
        if each["part"] in wanted:
            bounds = ("" if bound is None else f"{bound:,g}" for bound in (each["least"], each["aim"]))
            rows.append((each["what"], *bounds, f"{each['measured']:,g} {each['unit']}", each["verdict"]))
    widths = [max(len(row[k]) for row in rows) for k in range(5)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


if __name__ == "__main__":
    sys.exit(main())
