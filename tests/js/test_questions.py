"""What the page makes of a log (questions, manifests, sentences) holds for the log of every scenario of the gallery."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import unavailable
from tests.js.test_twins import FILES, ROOT, log_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the log of each scenario as JSON lines."""
    made = tmp_path_factory.mktemp("logs")
    for file in FILES:
        (made / f"{file.slug}.jsonl").write_text("\n".join(log_of(file.slug)), encoding="utf-8")
    return made


@pytest.mark.parametrize("name", ["predict", "yaml", "words", "since", "trace"])
def test_questions_manifests_and_sentences_hold_for_the_whole_gallery(name: str, folder: Path) -> None:
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        unavailable("Node.js", "no node on PATH")
    command = [node, "--test", f"tests/js/{name}.test.mjs"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "LOGS": str(folder)}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-6000:]
