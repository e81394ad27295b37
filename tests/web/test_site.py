"""What holds for every answer: probes, headers, languages, bodies, cookies, the description of the API."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client as Browser

from playground import environment
from playground.http import clients
from playground.http.bodies import BoundedBodies
from playground.models import GalleryEntry, Run, Scenario
from playground.runs import broker
from playground.scenarios import gallery_files
from tests.web.conftest import URL, scenario_text

pytestmark = pytest.mark.django_db
Make = Callable[..., Run]


# -- probes -----------------------------------------------------------------------------------------------------------
def test_healthz_is_200_only_when_every_part_answers(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker.workers, "is_up", lambda: True)
    answer = browser.get("/healthz", headers={"Host": "10.1.2.3:8000"})
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "web": "ok", "database": "ok", "broker": "ok", "worker": "ok", "engine": "fake"}


@pytest.mark.parametrize("part", ["broker", "worker", "database"])
def test_healthz_is_503_and_names_the_part_that_is_down(browser: Browser, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    monkeypatch.setattr(broker.workers, "is_up", lambda: part != "worker")
    monkeypatch.setattr(broker, "is_up", lambda: part != "broker")
    monkeypatch.setattr("playground.probes._database_is_up", lambda: part != "database")
    answer = browser.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()[part] == "down"


def test_no_worker_answers_here_and_asking_is_cheap() -> None:
    watch = broker.WorkerWatch()
    assert watch.is_up() is False
    assert watch.is_up() is False


def test_metrics_are_for_prometheus(browser: Browser, finish: Make) -> None:
    finish()
    text = browser.get("/metrics").content.decode()
    assert 'playground_runs{status="finished"} 1.0' in text
    assert "playground_viewers" in text


# -- headers ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("address", [f"{URL}/openapi.json", f"{URL}/runs/nothere0000", "/nothing/here"])
def test_every_answer_is_fenced_in(browser: Browser, address: str) -> None:
    answer = browser.get(address)
    policy = answer["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


def test_an_unknown_host_is_refused(browser: Browser) -> None:
    answer = browser.get(f"{URL}/openapi.json", headers={"Host": "evil.example"})
    assert answer.status_code == 400


@pytest.mark.parametrize("address", [f"{URL}/nothing", f"{URL}/", "/api/v2/x", f"{URL}/runs/"])
def test_what_is_unknown_below_the_api_is_a_problem_document(browser: Browser, address: str) -> None:
    answer = browser.get(address)
    assert answer.status_code in {404, 405}
    assert answer["Content-Type"] == "application/problem+json"
    assert set(answer.json()) == {"type", "title", "status", "problems"}


def test_our_own_mistake_is_a_500_that_says_nothing_of_our_insides(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr("playground.scenarios.saving.create_scenario", break_down)
    answer = browser.generic("POST", f"{URL}/scenarios", b"x")
    assert answer.status_code == 500
    assert answer["Content-Type"] == "application/problem+json"
    assert "secret" not in answer.content.decode()


# -- clients ----------------------------------------------------------------------------------------------------------
def test_a_forged_cookie_counts_as_none() -> None:
    plain = clients.identify(cookie=None, address="192.0.2.1", agent="x")
    assert clients.identify(cookie="forged:value", address="192.0.2.1", agent="x") == plain
    assert clients.identify(cookie=None, address="192.0.2.1", agent="y") != plain


def test_an_ipv6_network_is_one_address() -> None:
    first, second = (clients.identify(cookie=None, address=f"2001:db8::{k}", agent="x").address for k in (1, 2))
    assert first == second
    assert clients.identify(cookie=None, address="2001:db8:0:1::1", agent="x").address != first


def test_a_scope_and_a_request_agree_on_who_it_is() -> None:
    scope = {"client": ("192.0.2.1", 9), "headers": [(b"user-agent", b"x"), (b"cookie", b"browser=forged; \xff=\xfe")]}
    assert clients.identify_scope(scope) == clients.identify(cookie=None, address="192.0.2.1", agent="x")


# -- bodies -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("declared", [True, False])
def test_a_body_beyond_every_limit_is_413_before_django_sees_it(settings, declared: bool) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    sent: list[dict[str, Any]] = []
    parts = iter([*({"type": "http.request", "body": b"x" * 400, "more_body": True} for _ in range(5)), {"type": "http.disconnect"}])

    async def read_all(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    async def receive() -> Any:
        return next(parts)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "headers": [(b"content-length", b"2000")] if declared else []}
    asyncio.run(BoundedBodies(read_all)(scope, receive, send))
    assert sent[0]["status"] == 413
    assert (b"content-type", b"application/problem+json") in sent[0]["headers"]


def test_a_small_bomb_is_413(browser: Browser) -> None:
    bomb = gzip.compress(b"a" * (100 << 20))
    answer = browser.generic("POST", f"{URL}/scenarios", bomb, headers={"Content-Encoding": "gzip"})
    assert answer.status_code == 413


# -- language ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("query", "wishes", "language"),
    [
        ("", "", "en"),
        ("?lang=zh-hans", "", "zh-hans"),
        ("", "zh-CN,zh;q=0.9", "zh-hans"),
        ("?lang=en", "zh-CN", "en"),
        ("?lang=xx", "", "en"),
    ],
)
def test_the_language_asked_for_wins(browser: Browser, query: str, wishes: str, language: str) -> None:
    answer = browser.get(f"{URL}/runs/nothere0000{query}", headers={"Accept-Language": wishes})
    assert answer["Content-Language"] == language


def test_a_chosen_language_is_kept_and_an_unchosen_is_not(browser: Browser) -> None:
    assert "lang" not in browser.get(f"{URL}/openapi.json").cookies
    assert browser.get(f"{URL}/openapi.json?lang=zh-hans").cookies["lang"].value == "zh-hans"
    assert browser.get(f"{URL}/openapi.json")["Content-Language"] == "zh-hans"


# -- the description --------------------------------------------------------------------------------------------------
def test_the_description_names_every_call_of_the_contract(browser: Browser) -> None:
    paths = browser.get(f"{URL}/openapi.json").json()["paths"]
    assert {path: set(calls) for path, calls in paths.items()} == {
        f"{URL}/check": {"post"},
        f"{URL}/scenarios": {"post"},
        f"{URL}/scenarios/{{scenario_id}}": {"get"},
        f"{URL}/runs": {"post"},
        f"{URL}/runs/{{run_id}}": {"get"},
        f"{URL}/runs/{{run_id}}/continue": {"post"},
        f"{URL}/runs/{{run_id}}/events": {"get"},
        f"{URL}/runs/{{run_id}}/state": {"get"},
        f"{URL}/runs/{{run_id}}/result": {"get"},
    }


# -- gallery ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "title", "answer"), [("en", "One", "Because."), ("zh-hans", "\u4e00", "\u56e0\u4e3a\u3002")])
def test_the_page_of_a_gallery_scenario_teaches_in_the_language_of_the_page(
    browser: Browser, tmp_path: Path, lang: str, title: str, answer: str
) -> None:
    lesson = {"claim": "So.", "question": "Why?", "answer": "Because.", "zh-hans": {"title": "\u4e00", "answer": "\u56e0\u4e3a\u3002"}}
    (tmp_path / "01-first.yaml").write_bytes(scenario_text(title="One", gallery=lesson))
    gallery_files.load_all(tmp_path)
    shown = browser.get(f"/s/{GalleryEntry.objects.get().scenario_id}", {"lang": lang}).content.decode()
    assert f"<h1>{title}</h1>" in shown
    assert "So." in shown and answer in shown


def test_loading_the_gallery_twice_changes_nothing_and_a_changed_file_makes_a_new_scenario(tmp_path: Path) -> None:
    file = tmp_path / "01-first.yaml"
    file.write_bytes(scenario_text(title="One", expect=["victims == []"], gallery={"level": 1}))
    assert gallery_files.load_all(tmp_path) == gallery_files.load_all(tmp_path) == 1
    entry = GalleryEntry.objects.get()
    assert (entry.slug, entry.scenario.title, entry.document) == ("01-first", "One", {"expect": ["victims == []"], "gallery": {"level": 1}})
    file.write_bytes(scenario_text(title="Two"))
    gallery_files.load_all(tmp_path)
    assert GalleryEntry.objects.get().scenario.title == "Two"
    assert Scenario.objects.count() == 2
    file.unlink()
    assert gallery_files.load_all(tmp_path) == 0
    assert not GalleryEntry.objects.exists()


def test_a_file_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "07-broken.yaml").write_text("kind: Nothing")
    monkeypatch.setattr(gallery_files, "FOLDER", tmp_path)
    monkeypatch.setattr(gallery_files.load_all, "__defaults__", (tmp_path,))
    with pytest.raises(CommandError, match="07-broken"):
        call_command("load_gallery")


# -- environment ------------------------------------------------------------------------------------------------------
def test_a_variable_that_cannot_be_read_stops_the_start_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAX_NODES", "many")
    monkeypatch.setenv("DEBUG", "perhaps")
    for read in (lambda: environment.number("MAX_NODES", 1), lambda: environment.flag("DEBUG")):
        with pytest.raises(Exception, match=r"MAX_NODES|DEBUG"):
            read()


def test_two_starts_at_once_get_the_same_secret(tmp_path: Path) -> None:
    first, second = environment.kept_secret(tmp_path / "key"), environment.kept_secret(tmp_path / "key")
    assert first == second
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
