"""The browser is told at once which modules a page imports."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client as Browser

from playground.models import Run
from playground.pages import modules


@pytest.mark.django_db
def test_the_run_page_names_every_module_before_it_is_imported(browser: Browser, queue: Callable[..., Run]) -> None:
    text = browser.get(f"/r/{queue('events:2').pk}").content.decode()
    linked = re.findall(r'rel="modulepreload" href="/static/([^"]+)"', text)
    assert linked == list(modules.needed_by("js/run.js"))
    assert {"js/trace/store.js", "js/stage/cards.js", "js/messages.js"} <= set(linked)


def test_every_module_that_is_named_exists() -> None:
    for path in modules.needed_by("js/run.js"):
        assert (Path(settings.BASE_DIR) / "static" / path).is_file(), path
