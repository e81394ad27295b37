"""Every scenario of the gallery and every dump there is: in by import, through an edit, out again, and still the same."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from playground import engine, presenters
from playground.exports import formats
from playground.limits import Limits
from playground.scenarios import gallery_files
from tests.bench import openb
from tests.conftest import unavailable

ROOT = Path(__file__).resolve().parents[2]
DUMPS = [ROOT / "tests/data/kubectl-get.yaml", ROOT / "tests/data/podlist-without-nodes.json"]
GALLERY = [ROOT / "playground/gallery" / f"{file.slug}.yaml" for file in sorted(gallery_files.files(), key=lambda file: file.slug)]
FILES = [*GALLERY, *DUMPS]
NAMES = [file.stem for file in FILES]
COMMENTED = """\
# kept: above
apiVersion: playground/v1
kind: Scenario
objects: # kept: beside
  # kept: before
  - apiVersion: v1 # kept: after a value

    kind: Node
    metadata: {name: n1} # kept: after a map
    status:
      # kept: within
      allocatable: {cpu: "4", memory: 8Gi, pods: "10"}
# kept: below
seed: 3
"""


@pytest.fixture(autouse=True)
def fake_engine() -> Iterator[None]:
    """The real one."""
    yield


@cache
def all_edited(*what: str) -> dict[Path, str]:
    """What the editor makes of every file, in one go."""
    return dict(zip(FILES, edited([file.read_text(encoding="utf-8") for file in FILES], *what), strict=True))


def edited(texts: list[str], *what: str) -> list[str]:
    """What the editor makes of texts."""
    node = shutil.which("node")
    if node is None:
        unavailable("Node.js", "no node on PATH")
    command = [node, "tests/js/editor_import.mjs", *what]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps(texts), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    made: list[str] = json.loads(done.stdout)
    return made


def scenario_of(text: str) -> dict[str, Any]:
    """The stored document of a text, without what the gallery adds to a file."""
    given = next(iter(yaml.safe_load_all(text)), None) if "kind: Scenario" in text else None
    if isinstance(given, dict) and given.get("kind") == "Scenario":
        text = json.dumps({key: value for key, value in given.items() if key not in {"gallery", "expect"}}, default=str)
    document: dict[str, Any] = json.loads(engine.parse(text.encode(), limits=Limits()).document)
    return document


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_an_edit_that_is_taken_back_changes_nothing(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert scenario_of(all_edited("edit")[file]) == scenario_of(text)


@pytest.mark.parametrize("file", GALLERY, ids=NAMES[: len(GALLERY)])
def test_what_comes_in_as_a_file_goes_out_as_the_same_scenario(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert scenario_of(all_edited("import", "edit", "scenario")[file]) == scenario_of(text)


@pytest.mark.parametrize("file", DUMPS, ids=NAMES[len(GALLERY) :])
def test_a_dump_comes_in_with_everything_that_decides(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    given, taken = scenario_of(text)["objects"], scenario_of(all_edited("import", "scenario")[file])["objects"]
    assert [(each["kind"], each["metadata"]["name"]) for each in taken] == [(each["kind"], each["metadata"]["name"]) for each in given]
    for kind, part in (("Pod", "spec"), ("Node", "spec"), ("PodDisruptionBudget", "spec")):
        assert [each.get(part) for each in taken if each["kind"] == kind] == [each.get(part) for each in given if each["kind"] == kind]


def test_a_cluster_of_1523_nodes_and_8152_pods_comes_in_is_edited_and_goes_out() -> None:
    """5 MB of JSON, as ``python -m tests.bench.openb`` prints it."""
    given = json.dumps({"apiVersion": "v1", "kind": "List", "items": openb.objects()})
    taken = edited([given], "import", "edit", "scenario")[0]
    assert taken.startswith("apiVersion: playground/v1\n")
    assert yaml.load(taken, Loader=yaml.CSafeLoader)["objects"] == openb.objects()
    assert json.loads(edited([given], "edit")[0]) == json.loads(given)


def test_comments_and_order_survive_an_edit() -> None:
    assert edited([COMMENTED], "edit")[0].count("kept:") == COMMENTED.count("kept:")
    assert edited([COMMENTED], "scenario") == [COMMENTED]


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_the_server_writes_what_it_reads(file: Path) -> None:
    document = scenario_of(file.read_text(encoding="utf-8"))
    assert scenario_of(presenters.as_yaml(document)) == document


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_objects_for_kubectl_hold_against_the_schema_of_kubernetes_1_34(file: Path) -> None:
    document = scenario_of(file.read_text(encoding="utf-8"))
    alike = {json.dumps({**each, "metadata": sorted(each["metadata"])}, sort_keys=True, default=str): each for each in _documents(document)}
    for manifest in alike.values():
        kubernetes_validate.validate(json.loads(json.dumps(manifest, default=str)), "1.34", strict=True)


def _documents(document: dict[str, Any]) -> list[dict[str, Any]]:
    return list(yaml.load_all(formats.kubectl_yaml(document), Loader=yaml.CSafeLoader))
