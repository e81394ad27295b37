"""POST and GET /api/v1/scenarios."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest
from django.test import Client as Browser

from playground.models import Scenario
from playground.scenarios import saving
from tests.web.conftest import URL, scenario_text

pytestmark = pytest.mark.django_db


def post(browser: Browser, body: bytes, content_type: str = "application/yaml", query: str = "", **headers: str):
    return browser.generic("POST", f"{URL}/scenarios{query}", body, content_type=content_type, headers=headers)


def test_new_content_is_saved_and_found_again(browser: Browser) -> None:
    answer = post(browser, scenario_text(title="One"))
    assert answer.status_code == 201
    saved = answer.json()
    assert saved["url"] == f"/s/{saved['id']}"
    assert saved["title"] == "One"
    assert saved["counts"] == {"Node": 1}
    assert saved["warnings"] == []
    assert browser.get(f"{URL}/scenarios/{saved['id']}").json()["metadata"]["title"] == "One"


def test_the_same_content_keeps_its_id_and_is_no_new_save(browser: Browser) -> None:
    first = post(browser, scenario_text())
    again = post(browser, b"kind: Scenario\napiVersion: playground/v1\nmetadata: {tags: [], title: A scenario}\n")
    assert again.status_code == 200
    assert again.json()["id"] == first.json()["id"]
    assert "owner_token" not in again.json()


@pytest.mark.parametrize("content_type", ["application/json", "application/yaml", "text/plain", "application/x-www-form-urlencoded", ""])
def test_any_content_type_but_a_form_is_read_as_a_document(browser: Browser, content_type: str) -> None:
    assert post(browser, scenario_text(), content_type).status_code == 201


def test_a_form_is_refused(browser: Browser) -> None:
    answer = browser.post(f"{URL}/scenarios", {"file": "x"})
    assert answer.status_code == 415
    assert answer["Content-Type"] == "application/problem+json"


def test_gzip_is_unpacked(browser: Browser) -> None:
    assert post(browser, gzip.compress(scenario_text()), **{"Content-Encoding": "gzip"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "encoding", "status"),
    [
        (b"not gzip", "gzip", 400),
        (gzip.compress(scenario_text())[:-12], "gzip", 400),
        (scenario_text(), "br", 415),
        (gzip.compress(b"a" * (17 << 20)), "gzip", 413),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_a_problem(browser: Browser, body: bytes, encoding: str, status: int) -> None:
    answer = post(browser, body, **{"Content-Encoding": encoding})
    assert answer.status_code == status
    assert answer.json()["problems"]


@pytest.mark.parametrize("body", [b"", b"prose", b"a: [", b"\xff\xfe\x00", b"kind: Pod", b"[]", b"null", b"%PDF-1.4\0"])
def test_what_is_not_a_scenario_is_400_with_problems(browser: Browser, body: bytes) -> None:
    answer = post(browser, body)
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == 400
    assert set(problem["problems"][0]) == {"path", "line", "message"}


def test_too_much_is_413(browser: Browser) -> None:
    assert post(browser, b"a" * (4 << 20) + b"aa").status_code == 413
    assert post(browser, b"a" * (17 << 20)).status_code == 413


def test_missing_nodes_are_named_and_made_on_demand(browser: Browser) -> None:
    text = scenario_text("missing")
    offered = post(browser, text).json()
    made = post(browser, text, query="?missing-nodes=make").json()
    assert offered["missing_nodes"] == ["n1"]
    assert offered["warnings"][0]["path"] == "nodes.n1"
    assert made["id"] != offered["id"]
    assert browser.get(f"{URL}/scenarios/{made['id']}").json()["objects"][0]["kind"] == "Node"


def test_a_parent_is_kept(browser: Browser) -> None:
    first = post(browser, scenario_text(title="One")).json()["id"]
    second = post(browser, scenario_text(title="Two"), query=f"?parent={first}").json()["id"]
    assert Scenario.objects.get(pk=second).parent_id == first


@pytest.mark.parametrize("name", ["nothere000", "x", "..%2f..", "%00", "a" * 300, "ünïcode"])
def test_an_unknown_scenario_is_404(browser: Browser, name: str) -> None:
    answer = browser.get(f"{URL}/scenarios/{name}")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_other_methods_are_405(browser: Browser, method: str) -> None:
    answer = browser.generic(method, f"{URL}/scenarios")
    assert answer.status_code == 405
    assert answer["Content-Type"] == "application/problem+json"
    assert "POST" in answer["Allow"]


def test_the_limit_of_saves_counts_what_was_saved(browser: Browser, settings) -> None:
    settings.LIMITS = _limits(saves_per_hour=2)
    for body in (b"prose", scenario_text(title="1"), scenario_text(title="1"), scenario_text(title="2"), b"prose"):
        assert post(browser, body).status_code != 429 or body == b"prose"
    refused = post(browser, scenario_text(title="3"))
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 3600


def test_a_class_behind_one_address_has_room(settings) -> None:
    settings.LIMITS = _limits(saves_per_hour=1, address_factor=3)
    answers = [post(Browser(headers={"User-Agent": f"phone {k}"}), scenario_text(title=str(k))).status_code for k in range(4)]
    assert answers == [201, 201, 201, 429]


def test_a_deleted_scenario_is_gone_and_comes_back_when_saved_again(browser: Browser, save: Callable[..., Scenario]) -> None:
    saved = post(browser, scenario_text()).json()
    scenario = Scenario.objects.get(pk=saved["id"])
    assert not saving.delete_scenario(scenario, "guessed")
    assert saving.delete_scenario(scenario, saved["owner_token"])
    assert browser.get(f"{URL}/scenarios/{saved['id']}").status_code == 410
    assert post(browser, scenario_text()).status_code == 201
    assert json.loads(browser.get(f"{URL}/scenarios/{saved['id']}").content)["kind"] == "Scenario"


def _limits(**values: int):
    from dataclasses import replace

    from playground.limits import Limits

    return replace(Limits(), **values)
