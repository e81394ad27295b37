"""GET /e/<id>, /oembed, and who may read what from another origin."""

from __future__ import annotations

import pytest
from django.test import Client as Browser

from playground.models import Run, Scenario

pytestmark = pytest.mark.django_db
ELSEWHERE = {"Origin": "https://blog.example"}


def test_an_embed_may_be_framed_by_anybody_and_leaves_no_cookie(browser: Browser, scenario: Scenario, run: Run) -> None:
    for address in (f"/e/{scenario.pk}", f"/e/{run.pk}", f"/e/{scenario.pk}?step=c1/pick&view=text&lang=zh-hans&theme=dark"):
        answer = browser.get(address)
        assert answer.status_code == 200
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "unsafe" not in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert not answer.cookies
        assert answer["X-Robots-Tag"] == "noindex"


def test_every_other_page_may_not_be_framed_by_others(browser: Browser, scenario: Scenario, run: Run) -> None:
    for address in ("/", f"/s/{scenario.pk}", f"/r/{run.pk}", f"/s/{scenario.pk}/share"):
        answer = browser.get(address)
        assert "frame-ancestors 'self'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize(("query", "words"), [("lang=en", "n2 wins by rule 1"), ("lang=zh-hans", "凭第 1 条规则")])
def test_an_embed_says_its_step_in_words_and_in_its_language(
    browser: Browser, scenario: Scenario, run: Run, query: str, words: str
) -> None:
    page = browser.get(f"/e/{scenario.pk}?view=text&step=c1/pick&{query}").content.decode()
    assert words in page
    assert "<script" not in page


def test_unknown_embeds(browser: Browser, scenario: Scenario) -> None:
    assert browser.get("/e/nothere000").status_code == 404
    assert browser.post(f"/e/{scenario.pk}").status_code == 405
    Scenario.objects.filter(pk=scenario.pk).update(deleted="2026-01-01T00:00:00Z")
    assert browser.get(f"/e/{scenario.pk}").status_code == 404


# -- oEmbed -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "address", ["/s/{scenario}?step=c1/pick", "/r/{run}?step=c1/pick", "/{scenario}?step=c1/pick", "/e/{scenario}?step=c1/pick"]
)
def test_every_link_of_ours_can_be_embedded(browser: Browser, scenario: Scenario, run: Run, address: str) -> None:
    link = "http://testserver" + address.format(scenario=scenario.pk, run=run.pk)
    answer = browser.get("/oembed", {"url": link, "maxwidth": "640"}).json()
    assert answer["version"] == "1.0"
    assert answer["type"] == "rich"
    assert answer["width"] == 640
    assert f'src="http://testserver/e/{scenario.pk}?step=c1/pick"' in answer["html"]


@pytest.mark.parametrize(
    "address", ["", "http://evil.example/s/x", "http://testserver/s/nothere000", "http://testserver/docs/", "javascript:x"]
)
def test_other_addresses_cannot(browser: Browser, address: str) -> None:
    assert browser.get("/oembed", {"url": address}).status_code == 404


def test_xml_is_not_spoken(browser: Browser, scenario: Scenario) -> None:
    assert browser.get("/oembed", {"url": f"http://testserver/s/{scenario.pk}", "format": "xml"}).status_code == 501


# -- other origins ----------------------------------------------------------------------------------------------------
def test_public_reads_may_be_read_by_pages_of_other_origins(browser: Browser, scenario: Scenario, run: Run) -> None:
    for address in (
        f"/api/v1/scenarios/{scenario.pk}",
        f"/api/v1/runs/{run.pk}",
        f"/api/v1/runs/{run.pk}/events",
        f"/s/{scenario.pk}.yaml",
        f"/s/{scenario.pk}.json",
        "/api/v1/openapi.json",
    ):
        answer = browser.get(address, headers=ELSEWHERE)
        assert answer["Access-Control-Allow-Origin"] == "*", address
        assert "Access-Control-Allow-Credentials" not in answer
        assert not answer.cookies


def test_nothing_that_writes_and_no_page_may(browser: Browser, scenario: Scenario, run: Run) -> None:
    for address in ("/", f"/s/{scenario.pk}", f"/s/{scenario.pk}/share", f"/r/{run.pk}"):
        assert "Access-Control-Allow-Origin" not in browser.get(address, headers=ELSEWHERE), address
    assert "Access-Control-Allow-Origin" not in browser.generic("POST", "/api/v1/scenarios", b"x", headers=ELSEWHERE)
    asked = {**ELSEWHERE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    for address in ("/api/v1/scenarios", "/api/v1/runs", f"/api/v1/runs/{run.pk}/continue"):
        assert "Access-Control-Allow-Origin" not in browser.options(address, headers=asked), address


def test_a_preflight_for_reading_is_answered(browser: Browser, run: Run) -> None:
    answer = browser.options(f"/api/v1/runs/{run.pk}/events", headers={**ELSEWHERE, "Access-Control-Request-Method": "GET"})
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (204, "*")


def test_the_docs_for_machines_name_every_call(browser: Browser) -> None:
    page = browser.get("/docs/api").content.decode()
    for path in browser.get("/api/v1/openapi.json").json()["paths"]:
        assert path in page
