"""GET /?q=&tag=&level=&texts=: the gallery, searched without JavaScript."""

from __future__ import annotations

import re

import pytest
from django.test import Client as Browser

from playground.models import GalleryEntry
from playground.scenarios import gallery_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def loaded(db: None) -> int:
    """The gallery as it ships."""
    return gallery_files.load_all()


def titles(browser: Browser, query: str) -> list[str]:
    return re.findall(r'<h3 id="example-[^"]+"><a [^>]+>([^<]+)<', browser.get(f"/?{query}").content.decode())


def test_without_a_search_everything_is_shown(browser: Browser, loaded: int) -> None:
    assert len(titles(browser, "")) == loaded >= 24


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("q=budget+priority", "A budget beats priority"),
        ("q=BUDGET", "A budget beats priority"),
        ("tag=pdb", "A budget beats priority"),
        ("tag=pdb&level=2", "A budget beats priority"),
        ("q=%E9%A2%84%E7%AE%97", "A budget beats priority"),
        ("texts=zh-hans&q=budget", "A budget beats priority"),
    ],
)
def test_a_search_finds_what_fits_and_only_that(browser: Browser, loaded: int, query: str, title: str) -> None:
    found = titles(browser, query)
    assert title in found
    assert len(found) < loaded


@pytest.mark.parametrize("query", ["q=zzzz", "tag=nothing", "q=budget&tag=queue&level=1"])
def test_nothing_found_is_said(browser: Browser, loaded: int, query: str) -> None:
    assert titles(browser, query) == []
    assert "Nothing fits" in browser.get(f"/?{query}").content.decode()


@pytest.mark.parametrize("query", ["level=9", "texts=xx", "q=", "q=%00", "q=" + "a" * 5000, "level=2%27--"])
def test_what_cannot_be_asked_is_ignored_or_finds_nothing(browser: Browser, loaded: int, query: str) -> None:
    assert browser.get(f"/?{query}").status_code == 200


def test_the_search_stays_in_the_form_and_is_text(browser: Browser, loaded: int) -> None:
    page = browser.get('/?q="><script>&tag=pdb&level=2').content.decode()
    assert 'value="&quot;&gt;&lt;script&gt;"' in page
    assert '<option value="pdb" selected>' in page
    assert '<option value="2" selected>' in page


def test_every_level_is_one_of_three(loaded: int) -> None:
    assert {entry.document["gallery"]["level"] for entry in GalleryEntry.objects.all()} <= {1, 2, 3}


def test_the_workshop_is_one_click_away(browser: Browser, loaded: int) -> None:
    assert 'href="/docs/workshop"' in browser.get("/").content.decode()
    assert "workshop" in browser.get("/docs/workshop").content.decode().lower()
