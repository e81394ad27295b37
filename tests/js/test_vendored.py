"""Code of others is what its README says: every file listed, every hash right, every licence beside it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("static/vendor", "tests/browser/vendor")
_ROW = re.compile(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", re.MULTILINE)


def listed(folder: Path) -> dict[str, str]:
    """File name -> sha256, as the README of the folder has it."""
    return dict(_ROW.findall((folder / "README.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", FOLDERS)
def test_every_hash_is_the_one_in_the_readme(name: str) -> None:
    folder = ROOT / name
    found = {file: hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in listed(folder)}
    assert found == listed(folder)


@pytest.mark.parametrize("name", FOLDERS)
def test_every_script_is_listed_and_has_its_licence_beside_it(name: str) -> None:
    folder = ROOT / name
    scripts = {str(path.relative_to(folder)) for path in folder.rglob("*.js") if not path.name.endswith(".entry.js")}
    assert scripts == set(listed(folder))
    assert all(any("LICENSE" in other.name for other in (folder / script).parent.iterdir()) for script in scripts)
