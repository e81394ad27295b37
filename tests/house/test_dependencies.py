"""What the project is built on: locked, licensed, and explained."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock")
WISHES = ("requirements.in", "requirements-dev.in")

PERMITTED = re.compile(
    "|".join(
        (
            r"MIT( License)?|MIT-CMU",
            r"(New )?BSD( License|.2-Clause( License)?|-3-Clause)?",
            r"0BSD|PSF-2\.0|Zlib|CC0-1\.0",
            r"Apache((-| )2\.0)?|Apache Software License",
            # Used as they are, from their own wheels: nothing of theirs is changed or copied.
            r"MPL-2\.0|Mozilla Public License 2\.0 \(MPL 2\.0\)|LGPL-3\.0-only",
        )
    )
)


def entries(lock: str) -> list[str]:
    """The logical lines of a lock, comments left out."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def direct(file: str) -> list[str]:
    """The names in a list of wishes, as written."""
    lines = (ROOT / file).read_text().splitlines()
    return [match[0] for line in lines if (match := re.match(r"[A-Za-z][\w.-]*", line))]


def canonical(name: str) -> str:
    """The name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(lock: str) -> dict[str, str]:
    """Version by canonical name."""
    return {canonical(found[1]): found[2] for line in entries(lock) if (found := re.match(r"([\w.-]+)==(\S+)", line))}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_entry_of_a_lock_is_pinned_and_has_hashes(lock: str) -> None:
    for line in entries(lock):
        assert re.match(r"[\w.-]+==\S+", line), line
        assert "--hash=sha256:" in line, line


@pytest.mark.parametrize(
    "file", [*LOCKS, *WISHES, "pyproject.toml", "Makefile", "Dockerfile", "docker-compose.yml", ".ci/run", "README.md"]
)
def test_no_file_names_a_package_registry(file: str) -> None:
    text = (ROOT / file).read_text().lower()
    assert not re.search(r"index-url|find-links|trusted-host|pypi|npmjs|(ghcr|quay|gcr)\.io|docker\.io|hub\.docker", text)


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_holds_an_address(lock: str) -> None:
    assert "://" not in "\n".join(entries(lock))


@pytest.mark.parametrize(("wishes", "lock"), list(zip(WISHES, LOCKS, strict=True)))
def test_every_wish_is_in_its_lock(wishes: str, lock: str) -> None:
    missing = {canonical(name) for name in direct(wishes)} - set(locked(lock))
    assert not missing


def test_both_locks_agree_on_every_version() -> None:
    run, dev = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {name: dev.get(name) for name in run} == run


@pytest.mark.parametrize("name", sorted({*direct("requirements.in"), *direct("requirements-dev.in")}))
def test_every_direct_dependency_is_explained(name: str) -> None:
    explained = (ROOT / "docs/dependencies.md").read_text().lower()
    assert name.lower() in explained


def licences(distribution: importlib.metadata.Distribution) -> list[str]:
    """What a distribution says of its licence: the expression's parts, else the classifiers, else the free text."""
    about = distribution.metadata
    expression = about.get("License-Expression")
    if expression:
        return re.split(r" (?:AND|OR) ", expression)
    classified = [line.split(" :: ")[-1] for line in about.get_all("Classifier") or [] if line.startswith("License ::")]
    return classified or [(about.get("License") or "none given").splitlines()[0]]


@pytest.mark.parametrize("name", sorted(locked("requirements-dev.lock")))
def test_the_licence_is_one_of_the_permitted_kinds(name: str) -> None:
    try:
        found = licences(importlib.metadata.distribution(name))
    except importlib.metadata.PackageNotFoundError:
        return  # for another system: the lock is universal
    assert all(PERMITTED.fullmatch(licence) for licence in found), f"{name}: {found}"


def test_versions_are_written_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    import scheduler_core

    assert project["version"] == scheduler_core.ENGINE_VERSION
    assert "dependencies" in project["dynamic"]
