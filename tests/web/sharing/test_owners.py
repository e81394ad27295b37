"""Rights without accounts: delete links, tombstones, reports, retention, the operator's pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client as Browser
from django.utils import timezone

from playground.engine import InvalidInputError
from playground.http.clients import Client
from playground.models import Report, Run, RunChunk, Scenario
from playground.runs import retention, starting
from playground.scenarios import gallery_files, moderation
from tests.web.conftest import URL

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
POD = b"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n"


def paste(browser: Browser) -> Scenario:
    """What the page's form saves."""
    browser.post("/new", {"manifests": POD.decode(), "do": "save"})
    return Scenario.objects.get()


# -- deleting ---------------------------------------------------------------------------------------------------------
def test_only_the_browser_that_saved_it_sees_the_delete_link(browser: Browser) -> None:
    scenario = paste(browser)
    kept = browser.cookies["owner"]
    assert (kept["path"], kept["httponly"], kept["samesite"]) == (f"/s/{scenario.pk}", True, "Lax")
    assert kept.value not in (scenario.owner_token_hash or "")
    assert f"/s/{scenario.pk}/delete?token={kept.value}" in browser.get(f"/s/{scenario.pk}/share").content.decode()
    assert "/delete?token=" not in Browser().get(f"/s/{scenario.pk}/share").content.decode()


def test_the_delete_link_asks_first_and_then_leaves_a_tombstone(browser: Browser, someone: Client) -> None:
    token = browser.generic("POST", f"{URL}/scenarios", POD).json()["owner_token"]
    scenario = Scenario.objects.get()
    run = starting.run_of(scenario, client=someone)
    link = f"/s/{scenario.pk}/delete?token={token}"
    assert browser.get(link).status_code == 200
    assert not Scenario.objects.get().is_deleted
    assert browser.post(f"/s/{scenario.pk}/delete", {"token": token})["Location"] == f"/s/{scenario.pk}"
    assert browser.get(f"/s/{scenario.pk}").status_code == 410
    assert browser.get(f"/r/{run.pk}").status_code == 404
    assert browser.get(f"{URL}/scenarios/{scenario.pk}").status_code == 410
    assert b"deleted" in browser.get(f"/s/{scenario.pk}").content


@pytest.mark.parametrize("token", ["", "wrong"])
def test_nobody_else_can_delete(browser: Browser, scenario: Scenario, token: str) -> None:
    assert browser.post(f"/s/{scenario.pk}/delete", {"token": token}).status_code == 403
    assert not Scenario.objects.get().is_deleted


def test_forks_of_others_are_counted_not_listed(browser: Browser, scenario: Scenario) -> None:
    browser.get("/")
    browser.post(f"/s/{scenario.pk}/share", {"title": "Mine", "summary": ""})
    stranger = Browser(headers={"User-Agent": "another"})
    stranger.get("/")
    stranger.post(f"/s/{scenario.pk}/share", {"title": "Theirs", "summary": ""})
    page = browser.get(f"/s/{scenario.pk}").content.decode()
    assert "Mine" in page
    assert "Theirs" not in page
    assert "one fork by somebody else" in page


# -- reports and the operator -----------------------------------------------------------------------------------------
def test_a_report_reaches_the_operator_and_nobody_else(browser: Browser, scenario: Scenario) -> None:
    assert browser.get(f"/s/{scenario.pk}/report").status_code == 200
    assert "Thank you" in browser.post(f"/s/{scenario.pk}/report", {"reason": "This is <b>ours</b>"}).content.decode()
    assert Report.objects.get().reason == "This is <b>ours</b>"
    assert "ours" not in browser.get(f"/s/{scenario.pk}").content.decode()
    browser.post(f"/s/{scenario.pk}/report", {"reason": "  "})
    assert Report.objects.count() == 1


def test_reports_are_limited(browser: Browser, scenario: Scenario) -> None:
    browser.get("/")  # from here on it is known by its cookie
    codes = [browser.post(f"/s/{scenario.pk}/report", {"reason": "again"}).status_code for _ in range(11)]
    assert codes == [200] * 10 + [429]


def test_what_is_blocked_does_not_come_back_and_what_is_removed_may(
    browser: Browser, scenario: Scenario, keep: Callable[..., Scenario], document: dict[str, Any]
) -> None:
    assert moderation.take_away(scenario, block=False)
    assert keep(document).pk == scenario.pk
    assert moderation.take_away(scenario, block=True)
    with pytest.raises(InvalidInputError, match="operator"):
        keep(document)
    assert browser.get(f"/s/{scenario.pk}").status_code == 410


def test_what_the_gallery_shows_stays(tmp_path: Path) -> None:
    (tmp_path / "01-one.yaml").write_bytes((ROOT / "playground/gallery/26-pdb-beats-priority.yaml").read_bytes())
    gallery_files.load_all(tmp_path)
    assert not moderation.take_away(Scenario.objects.get(), block=True)


def test_there_is_no_admin_unless_the_operator_wants_it(browser: Browser) -> None:
    assert browser.get("/admin/").status_code == 404


OPERATOR = """
import django; django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from playground import engine
from playground.runs import starting
from playground.scenarios import moderation, saving
from playground.limits import Limits
from playground.models import Report, Scenario
call_command("migrate", verbosity=0)
User.objects.create_superuser("operator", password="x")
source = open("playground/gallery/26-pdb-beats-priority.yaml", "rb").read()
import yaml; document = yaml.safe_load(source); document.pop("gallery"); document.pop("expect")
scenario = saving.store_scenario(engine.parse(engine.canonical(document), limits=Limits())).scenario
Report.objects.create(scenario=scenario, reason="ours")
browser = Client(headers={"host": "localhost"})
assert browser.get("/admin/").status_code == 302
browser.login(username="operator", password="x")
one = f"/admin/playground/scenario/{scenario.pk}/change/"
for address in ("/admin/", "/admin/playground/scenario/?q=budget", "/admin/playground/report/", "/admin/playground/run/", one):
    answer = browser.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    assert "unsafe" not in answer["Content-Security-Policy"]
assert browser.get("/admin/playground/scenario/add/").status_code == 403
chosen = {"action": "remove_and_block", "_selected_action": [Report.objects.get().pk]}
assert browser.post("/admin/playground/report/", chosen).status_code == 302
scenario.refresh_from_db()
assert scenario.deleted and scenario.blocked and Report.objects.get().handled
print("all well")
"""


@pytest.mark.slow
def test_the_operator_finds_removes_and_blocks(tmp_path: Path) -> None:
    env = {**os.environ, "ADMIN": "1", "PLAYGROUND_STATE": str(tmp_path), "DJANGO_SETTINGS_MODULE": "playground.settings"}
    done = subprocess.run([sys.executable, "-c", OPERATOR], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stdout.endswith("all well\n"), done.stderr[-3000:]


# -- retention --------------------------------------------------------------------------------------------------------
def test_old_logs_go_and_scenarios_stay(run: Run, settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    settings.RETENTION_LOG_DAYS = 30
    call_command("retention")
    assert RunChunk.objects.exists()
    Run.objects.update(finished=timezone.now() - timedelta(days=31))
    Scenario.objects.update(created=timezone.now() - timedelta(days=4000))
    call_command("retention")
    assert "1 logs dropped, 0 scenarios deleted" in capsys.readouterr().out
    assert not RunChunk.objects.exists()
    assert not Scenario.objects.get().is_deleted


def test_scenarios_go_only_when_the_operator_says_so_and_nobody_ran_them(run: Run, settings: Any) -> None:
    settings.RETENTION_SCENARIO_DAYS = 100
    Scenario.objects.update(created=timezone.now() - timedelta(days=101))
    assert retention.run_all().scenarios == 0
    Run.objects.update(created=timezone.now() - timedelta(days=101), finished=timezone.now() - timedelta(days=101))
    assert retention.run_all().scenarios == 1
    assert Scenario.objects.get().is_deleted


def test_a_run_that_is_not_over_keeps_its_log(run: Run, settings: Any) -> None:
    settings.RETENTION_LOG_DAYS = 1
    Run.objects.update(status="running", finished=timezone.now() - timedelta(days=5))
    assert retention.run_all().logs == 0


def test_of_many_workers_one_does_it_once_an_hour(db: None) -> None:
    cache.delete("retention:done")
    assert retention.run_if_due() is not None
    assert retention.run_if_due() is None


def test_a_token_is_never_stored_as_it_is(browser: Browser) -> None:
    token = browser.generic("POST", f"{URL}/scenarios", POD).json()["owner_token"]
    stored = Scenario.objects.get()
    assert re.fullmatch(r"[0-9a-f]{64}", stored.owner_token_hash or "")
    assert token not in str(stored.__dict__)
