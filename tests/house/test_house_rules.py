"""The rules of the house that a program can check: who may import whom, where chance comes from, what the documents promise."""

from __future__ import annotations

import ast
import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE_FILES = sorted((ROOT / "scheduler_core").rglob("*.py"))
CODE_FILES = sorted([*ENGINE_FILES, *(ROOT / "playground").rglob("*.py")])
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CLOCKS = {("datetime", "now"), ("datetime", "utcnow"), ("datetime", "today"), ("date", "today"), ("time", "time"), ("time", "monotonic")}


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program of the virtual environment, in the root of the project."""
    return subprocess.run([Path(sys.executable).with_name(program), *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def test_imports_keep_to_the_architecture() -> None:
    done = run("lint-imports", "--no-cache")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_lint_finds_nothing() -> None:
    done = run("ruff", "check", "--no-cache", ".")
    assert done.returncode == 0, done.stdout[-6000:]


def test_the_code_is_formatted() -> None:
    done = run("ruff", "format", "--check", "--no-cache", ".")
    assert done.returncode == 0, done.stdout[-6000:]


@pytest.mark.slow
def test_the_types_tell_the_story() -> None:
    done = run("mypy")
    assert done.returncode == 0, done.stdout[-6000:]


@pytest.mark.parametrize("file", ENGINE_FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_engine_takes_chance_from_the_seed_and_time_from_nobody(file: Path) -> None:
    """import-linter sees imports; NumPy's generator and the clock of datetime need no import of their own."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert not (node.value.id in {"np", "numpy"} and node.attr == "random"), f"line {node.lineno}: numpy.random"
            if file.name not in {"__main__.py", "benchmark.py"}:
                assert (node.value.id, node.attr) not in CLOCKS, f"line {node.lineno}: {node.value.id}.{node.attr}"


@pytest.mark.parametrize("file", CODE_FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_module_opens_with_what_it_is_for(file: Path) -> None:
    if "migrations" in file.parts or not file.read_text().strip():
        return
    assert ast.get_docstring(ast.parse(file.read_text()))


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [file for file in CODE_FILES if file.stem in {"utils", "util", "helpers", "helper", "manager", "data", "misc", "common"}]


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(file: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", file.read_text()):
        if "://" not in target:
            assert (file.parent / target).exists(), target


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_documents_stand_alone(file: Path) -> None:
    assert not re.search(r"\.\./shared|/work/", file.read_text())


def test_every_limit_and_setting_is_documented() -> None:
    from playground.limits import Limits

    text = (ROOT / "docs/operations.md").read_text()
    limits = {each.metadata["variable"] for each in dataclasses.fields(Limits)}
    source = "\n".join(file.read_text() for file in (ROOT / "playground").rglob("*.py"))
    settings = set(re.findall(r"environment\.(?:text|flag|number|names)\(\s*\"([A-Z_]+)\"", source))
    assert not {name for name in limits | settings if f"`{name}`" not in text}


def test_the_readme_shows_both_commands_and_the_plain_ones_behind_them() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in (
        "make run",
        "make test",
        "python3 -m venv .venv",
        "pip install --require-hashes -r requirements.lock",
        "python -m playground.launcher",
    ):
        assert command in readme


def test_the_makefile_has_every_command_of_the_contract() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert {"run", "test", "check", "bench"} <= targets
