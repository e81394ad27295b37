"""Files under /static/: as they are now, whole, and small on the way."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from playground.http.static import StaticFilesMiddleware

Ask = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """A folder of static files, and the only one."""
    settings.STATICFILES_DIRS = [tmp_path]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    from django.contrib.staticfiles import finders

    finders.get_finder.cache_clear()
    (tmp_path / "page.js").write_text("let a = 1;\n" * 500)
    return tmp_path


@pytest.fixture
def ask(folder: Path) -> Ask:
    """Asks the middleware; what it does not have is answered 404."""
    from django.contrib.staticfiles import finders

    middleware = StaticFilesMiddleware(lambda _request: HttpResponse("elsewhere", status=404))
    yield lambda name, method="GET", **headers: middleware(RequestFactory().generic(method, f"/static/{name}", headers=headers))
    finders.get_finder.cache_clear()


def test_a_file_that_grows_while_the_server_runs_is_served_whole(ask: Ask, folder: Path) -> None:
    before = ask("page.js")
    assert before.content == (folder / "page.js").read_bytes()
    (folder / "page.js").write_text("let b = 2;\n" * 900)
    after = ask("page.js")
    assert after.content == b"let b = 2;\n" * 900
    assert after["Content-Length"] == str(len(after.content))
    assert after["ETag"] != before["ETag"]


def test_a_browser_that_has_an_earlier_version_gets_the_new_one(ask: Ask, folder: Path) -> None:
    etag = ask("page.js")["ETag"]
    assert ask("page.js", **{"If-None-Match": etag}).status_code == 304
    (folder / "page.js").write_text("changed")
    assert ask("page.js", **{"If-None-Match": etag}).content == b"changed"


def test_text_is_compressed_for_who_understands_it(ask: Ask, folder: Path) -> None:
    small = ask("page.js", **{"Accept-Encoding": "gzip, br"})
    assert small["Content-Encoding"] == "gzip"
    assert small["Vary"] == "Accept-Encoding"
    assert int(small["Content-Length"]) == len(small.content) < 500
    assert gzip.decompress(small.content) == (folder / "page.js").read_bytes()
    assert "Content-Encoding" not in ask("page.js")


def test_a_changed_file_is_compressed_anew(ask: Ask, folder: Path) -> None:
    ask("page.js", **{"Accept-Encoding": "gzip"})
    (folder / "page.js").write_text("let c = 3;\n" * 700)
    assert gzip.decompress(ask("page.js", **{"Accept-Encoding": "gzip"}).content) == b"let c = 3;\n" * 700


def test_files_come_and_go(ask: Ask, folder: Path) -> None:
    assert ask("new.css").status_code == 404
    (folder / "new.css").write_text("a{}")
    assert ask("new.css").content == b"a{}"
    (folder / "new.css").unlink()
    assert ask("new.css").status_code == 404


@pytest.mark.parametrize("name", ["", "../secret", "a/../page.js", "%00", "page.js/", ".", "//etc/passwd", "%2e%2e/%2e%2e/etc/passwd"])
def test_what_is_no_file_of_ours_is_left_to_others(ask: Ask, folder: Path, name: str) -> None:
    (folder.parent / "secret").write_text("secret")
    assert ask(name).content == b"elsewhere"


def test_only_reading_is_answered(ask: Ask) -> None:
    assert ask("page.js", "POST").status_code == 405
    head = ask("page.js", "HEAD")
    assert (head.status_code, head.content) == (200, b"")


def test_a_part_of_a_file(ask: Ask) -> None:
    part = ask("page.js", **{"Range": "bytes=4-6", "Accept-Encoding": "gzip"})
    assert (part.status_code, part.content) == (206, b"a =")
