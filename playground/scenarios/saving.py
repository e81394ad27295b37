"""Writes of scenarios: saved under a name made from their content, under another title, varied, deleted by their owner.

The one rule: a scenario never changes; whatever somebody edits is another scenario with this one as its parent.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from playground import chunks, engine, ids, metrics, selectors
from playground.engine import InvalidInputError, Parsed, Problem
from playground.http import ratelimit
from playground.http.clients import Client
from playground.models import GalleryEntry, Run, Scenario
from playground.scenarios import uploads

MOST_TITLE: Final = 200
MOST_SUMMARY: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A scenario that was saved, or that existed already (``created`` is false, and no ``owner_token``)."""

    scenario: Scenario
    created: bool
    counts: Mapping[str, int]
    warnings: tuple[Problem, ...]
    missing_nodes: tuple[str, ...]
    owner_token: str | None = None


def create_scenario(source: bytes, *, client: Client, parent: Scenario | None = None, make_missing_nodes: bool = False) -> Saved:
    """Save what somebody pasted. Raises InvalidInputError, TooManyError; malformed and known content does not count as a save."""
    ratelimit.saves().check(client)
    with metrics.PARSE_SECONDS.time():
        parsed = uploads.parse(source, limits=settings.LIMITS, make_missing_nodes=make_missing_nodes)
    return store_scenario(parsed, parent=parent, client=client, count=lambda: ratelimit.saves().take(client))


def store_scenario(parsed: Parsed, *, parent: Scenario | None = None, client: Client | None = None, count: Any = None) -> Saved:
    """Save a parsed scenario under the shortest free name of its content; ``count`` is called before something new is stored."""
    digest = ids.digest(settings.SECRET_KEY.encode(), parsed.document)
    known = Scenario.objects.filter(digest=digest).first()
    if known is not None and not known.is_deleted:
        return _saved(parsed, known)
    if known is not None and known.blocked:
        message = "The operator of this playground took this content away; it cannot be saved again"
        raise InvalidInputError([Problem(path="", message=message)])
    if count is not None:
        count()
    token = secrets.token_urlsafe(24)
    scenario = _revive(known, parsed, token) if known else _insert(parsed, digest, parent, token, client)
    metrics.SAVES.inc()
    is_mine = scenario.owner_token_hash == _token_hash(token)
    return _saved(parsed, scenario, owner_token=token if is_mine else None)


def delete_scenario(scenario: Scenario, owner_token: str) -> bool:
    """Leave a tombstone, when the token is the owner's and no gallery needs it. Its runs go with it."""
    if not is_owner(scenario, owner_token):
        return False
    if GalleryEntry.objects.filter(scenario=scenario).exists():
        return False
    bury(scenario)
    return True


def is_owner(scenario: Scenario, owner_token: str) -> bool:
    """Whether the token is the one that was given when the scenario was made."""
    kept = scenario.owner_token_hash
    return bool(owner_token) and bool(kept) and secrets.compare_digest(kept or "", _token_hash(owner_token))


def bury(scenario: Scenario) -> None:
    """Leave the tombstone of a scenario: its name and its digest. Its runs go with it."""
    empty = {"document": b"", "title": "", "summary": "", "tags": [], "warnings": [], "counts": {}, "deleted": timezone.now()}
    with transaction.atomic():
        Scenario.objects.filter(pk=scenario.pk).update(**empty)
        Run.objects.filter(scenario=scenario).delete()


def _saved(parsed: Parsed, scenario: Scenario, *, owner_token: str | None = None) -> Saved:
    return Saved(
        scenario=scenario,
        created=owner_token is not None,
        counts=parsed.counts,
        warnings=parsed.warnings,
        missing_nodes=parsed.missing_nodes,
        owner_token=owner_token,
    )


def _insert(parsed: Parsed, digest: bytes, parent: Scenario | None, token: str, client: Client | None) -> Scenario:
    for name in ids.candidates(digest):
        try:
            with transaction.atomic():
                return Scenario.objects.create(
                    id=name,
                    digest=digest,
                    parent=parent,
                    owner_token_hash=_token_hash(token),
                    client=client.browser if client else "",
                    **_columns(parsed),
                )
        except IntegrityError:
            same = Scenario.objects.filter(digest=digest).first()
            if same is not None:  # somebody saved the same content a moment ago
                return same
    raise engine.EngineBugError("No name is left for a scenario")


def _revive(tombstone: Scenario, parsed: Parsed, token: str) -> Scenario:
    columns = {**_columns(parsed), "deleted": None, "owner_token_hash": _token_hash(token)}
    Scenario.objects.filter(pk=tombstone.pk, deleted__isnull=False).update(**columns)
    return Scenario.objects.get(pk=tombstone.pk)


def _columns(parsed: Parsed) -> dict[str, Any]:
    return {
        "document": chunks.squeeze(parsed.document),
        "title": parsed.title[:300],
        "summary": parsed.summary,
        "tags": list(parsed.tags),
        "counts": dict(parsed.counts),
        "warnings": [each.document() for each in parsed.warnings[:1000]],
    }


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# -- scenarios made from one that is there ----------------------------------------------------------------------------
def retitle(scenario: Scenario, *, title: str, summary: str, client: Client) -> Saved:
    """The scenario under another title: a new one, with this one as its parent. Raises InvalidInputError, TooManyError."""
    document = selectors.document(scenario)
    metadata: dict[str, Any] = {**(document.get("metadata") or {})}
    for key, text, most in (("title", title, MOST_TITLE), ("summary", summary, MOST_SUMMARY)):
        metadata.pop(key, None)
        if text.strip():
            metadata[key] = text.strip()[:most]
    return vary(scenario, {**document, "metadata": metadata}, client=client)


def vary(scenario: Scenario, document: dict[str, Any], *, client: Client) -> Saved:
    """Save a changed document of a scenario, as its fork. Raises InvalidInputError, TooManyError."""
    ratelimit.saves().check(client)
    parsed = uploads.parse(engine.canonical(document), limits=settings.LIMITS)
    return store_scenario(parsed, parent=scenario, client=client, count=lambda: ratelimit.saves().take(client))
