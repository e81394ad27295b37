"""A scenario of the gallery is called in the language of the page, wherever it is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client as Browser

from playground import presenters
from playground.models import GalleryEntry, Run, Scenario

TITLES = {"en": "A disruption budget beats priority", "zh-hans": "中断预算胜过优先级"}


@pytest.fixture
def shown(scenario: Scenario) -> Scenario:
    """The scenario with a place in the gallery, under titles of its own."""
    beside = {"gallery": {lang: {"title": title, "summary": f"{title}!"} for lang, title in TITLES.items()}}
    GalleryEntry.objects.create(slug="one", scenario=scenario, document=beside)
    return scenario


PAGES = [
    "/r/{run}?",
    "/s/{scenario}?",
    "/s/{scenario}/share?",
    "/e/{run}?",
    "/r/{run}/storyboard?",
    "/d/{scenario}...{scenario}?",
    "/new?fork={scenario}&",
]


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("lang", sorted(TITLES))
def test_a_page_names_it_in_its_own_language(browser: Browser, shown: Scenario, run: Run, address: str, lang: str) -> None:
    text = browser.get(f"{address.format(run=run.pk, scenario=shown.pk)}lang={lang}").content.decode()
    assert f">{TITLES[lang]}<" in text.replace(f"{TITLES[lang]} ·", f"{TITLES[lang]}<").replace("Fork of ", ">").replace("派生自 ", ">")


def test_the_run_page_can_change_the_title_in_place(browser: Browser, shown: Scenario, run: Run) -> None:
    text = browser.get(f"/r/{run.pk}?lang=en").content.decode()
    for lang, title in TITLES.items():
        assert f'data-in-{lang}="{title}"' in text


def test_what_was_made_from_it_keeps_the_translation_as_long_as_it_keeps_the_title(
    keep: Callable[..., Scenario], shown: Scenario, document: dict[str, Any]
) -> None:
    changed = keep({**document, "seed": 7}, parent=shown)
    assert presenters.title_of(changed, lang="zh-hans") == TITLES["zh-hans"]
    renamed = keep({**document, "metadata": {**document["metadata"], "title": "Mine"}}, parent=shown)
    assert presenters.title_of(renamed, lang="zh-hans") == "Mine"


def test_a_chat_is_told_in_the_language_of_the_link(browser: Browser, shown: Scenario) -> None:
    text = browser.get(f"/s/{shown.pk}?lang=zh-hans").content.decode()
    assert f'property="og:title" content="{TITLES["zh-hans"]}' in text
    assert f"{TITLES['zh-hans']}!" in text
