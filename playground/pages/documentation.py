"""The pages under docs/ as values that a template can draw: headings, paragraphs, lists, tables, with code set apart.

The one rule: only the Markdown that our own files use; everything is text, nothing is HTML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final, Literal

from django.conf import settings

Kind = Literal["h1", "h2", "h3", "p", "ul", "table", "pre"]
_CODE: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; ``style`` is "code", "strong" or nothing."""

    text: str
    style: str = ""


Line = tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block: ``lines`` for texts and lists, ``rows`` (the first is the head) for tables, ``anchor`` for headings."""

    kind: Kind
    lines: tuple[Line, ...] = ()
    rows: tuple[tuple[Line, ...], ...] = ()
    anchor: str = ""


@cache
def page(name: str, lang: str) -> tuple[Block, ...]:
    """docs/<name>.md in the language of the page where there is one, else in English; empty when there is none at all."""
    folder = settings.BASE_DIR / "docs"
    found = next((each for each in (folder / f"{name}.{lang}.md", folder / f"{name}.md") if each.is_file()), None)
    return tuple(blocks(found.read_text(encoding="utf-8"))) if found else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The last conformance run: how many cases were decided as the reference decided them, in all and by family."""

    reference: str
    engine: str
    date: str
    cases: int
    as_reference: int
    families: tuple[tuple[str, int, int], ...]


@cache
def conformance() -> Score | None:
    """What ``python -m tests.conformance.score`` wrote into docs/conformance.json; None when it was never run."""
    file = settings.BASE_DIR / "docs" / "conformance.json"
    if not file.is_file():
        return None
    found = json.loads(file.read_text(encoding="utf-8"))
    return Score(
        reference=found["reference"],
        engine=found["engine"],
        date=found["date"],
        cases=found["cases"],
        as_reference=found["as_kube_scheduler"],
        families=tuple((name, entry["as_kube_scheduler"], entry["cases"]) for name, entry in found["families"].items()),
    )


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text."""
    for kind, group in groupby(_classified(text), key=lambda line: line[0]):
        lines = [line for _, line in group]
        match kind:
            case "h1" | "h2" | "h3":
                yield from (_heading(kind, line) for line in lines)
            case "table":
                rows = tuple(_row(line) for line in lines if not re.fullmatch(r"[|\s:-]+", line))
                yield Block(kind="table", rows=rows)
            case "ul":
                yield Block(kind="ul", lines=tuple(_pieces(line[2:]) for line in lines))
            case "pre":
                yield Block(kind="pre", lines=tuple((Piece(line),) for line in lines))
            case "p":
                yield Block(kind="p", lines=(_pieces(" ".join(lines)),))


def _heading(kind: Kind, line: str) -> Block:
    title = line.lstrip("# ")
    return Block(kind=kind, lines=(_pieces(title),), anchor=re.sub(r"[^\w]+", "-", title.lower()).strip("-"))


def _classified(text: str) -> Iterator[tuple[Kind | Literal[""], str]]:
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
            yield "", line
        elif fenced:
            yield "pre", line
        else:
            yield _kind(line), line.strip()


def _kind(line: str) -> Kind | Literal[""]:
    if not line.strip():
        return ""
    if line.startswith("|"):
        return "table"
    if line.startswith(("- ", "* ")):
        return "ul"
    level = len(line) - len(line.lstrip("#"))
    if 1 <= level <= 3 and line[level : level + 1] == " ":
        return ("h1", "h2", "h3")[level - 1]
    return "p"


def _row(line: str) -> tuple[Line, ...]:
    cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return tuple(_pieces(cell.strip().replace("\\|", "|")) for cell in cells)


def _pieces(text: str) -> Line:
    found: list[Piece] = []
    at = 0
    for match in _CODE.finditer(text):
        found.append(Piece(text[at : match.start()]))
        code, strong, link = match.groups()
        found.append(Piece(code, "code") if code else Piece(strong, "strong") if strong else Piece(link))
        at = match.end()
    found.append(Piece(text[at:]))
    return tuple(piece for piece in found if piece.text)
