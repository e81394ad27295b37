"""The gallery: files under playground/gallery, each a Scenario with a claim, laid into the database at every start.

The one rule: loading twice changes nothing; a changed file makes a new scenario, and the old one keeps its links.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml
from django.conf import settings

from playground import engine
from playground.models import GalleryEntry
from playground.scenarios import saving

FOLDER: Final = Path(__file__).resolve().parent.parent / "gallery"
# What docs/gallery.md puts beside the Scenario: for the page and the tests, no part of what is run or hashed.
BESIDE: Final = ("expect", "gallery")


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryFile:
    """One file: ``document`` is the Scenario, ``beside`` the rest. Files are ordered by their names."""

    slug: str
    order: int
    document: dict[str, Any]
    beside: dict[str, Any]


def files(folder: Path = FOLDER) -> Iterator[GalleryFile]:
    """Every file of the gallery. Raises yaml.YAMLError, ValueError with the file's name."""
    for order, file in enumerate(sorted(folder.glob("*.yaml"))):
        content = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
        if not isinstance(content, dict):
            raise ValueError(f"{file.name} does not hold a Scenario")
        beside = {name: content.pop(name) for name in BESIDE if name in content}
        yield GalleryFile(slug=file.stem, order=order, document=content, beside=beside)


def load_all(folder: Path = FOLDER) -> int:
    """Bring the table in line with the files; how many there are. Raises ValueError naming the file that cannot be loaded."""
    slugs = [_load(each) for each in files(folder)]
    GalleryEntry.objects.exclude(slug__in=slugs).delete()
    return len(slugs)


def _load(file: GalleryFile) -> str:
    try:
        parsed = engine.parse(engine.canonical(file.document), limits=settings.LIMITS)
    except engine.InvalidInputError as error:
        raise ValueError(f"{file.slug}.yaml: {error}") from error
    scenario = saving.store_scenario(parsed).scenario
    GalleryEntry.objects.update_or_create(slug=file.slug, defaults={"order": file.order, "scenario": scenario, "document": file.beside})
    return file.slug
