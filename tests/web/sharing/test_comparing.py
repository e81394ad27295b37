"""/d/<a>...<b>: what differs in the input, where the runs part, and one click on a setting."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client as Browser

from playground import selectors
from playground.models import Run, Scenario
from playground.scenarios import variations
from playground.sharing import aligning, comparing, comparison

pytestmark = pytest.mark.django_db
Keep = Callable[..., Scenario]
Play = Callable[[Scenario], Run]
SMALL: dict[str, Any] = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1m"}}}]}
ROOM: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "wide"},
    "spec": {"taints": [{"key": "crowd", "effect": "PreferNoSchedule"}]},
    "status": {"allocatable": {"cpu": "100", "memory": "100Gi", "pods": "5000"}},
}


def budget_of(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in document["objects"] if each["kind"] == "PodDisruptionBudget")
    return found


@pytest.fixture
def without_budget(keep: Keep, document: dict[str, Any], scenario: Scenario) -> Scenario:
    """The same cluster, and the budget allows its pod to go."""
    budget_of(document)["spec"]["minAvailable"] = 0
    return keep(document, parent=scenario)


# -- the input --------------------------------------------------------------------------------------------------------
def test_a_changed_field_is_named_by_its_path(scenario: Scenario, without_budget: Scenario) -> None:
    (found,) = comparing.documents(selectors.document(scenario), selectors.document(without_budget))
    assert (found.kind, found.name, found.what) == ("PodDisruptionBudget", "shop/search", "changed")
    assert [(field.path, field.before, field.after) for field in found.fields] == [("spec.minAvailable", "1", "0")]


def test_objects_come_and_go_by_name_and_settings_count_too(document: dict[str, Any]) -> None:
    other = copy.deepcopy(document)
    gone = other["objects"].pop(0)
    other["objects"].append({**copy.deepcopy(gone), "metadata": {"name": "n9"}})
    other["seed"] = 7
    found = {(each.kind, each.name): each.what for each in comparing.documents(document, other)}
    assert found == {("Scenario", ""): "changed", ("Node", "n1"): "removed", ("Node", "n9"): "added"}


def test_equal_documents_do_not_differ(document: dict[str, Any]) -> None:
    assert comparing.documents(document, copy.deepcopy(document)) == []


def test_a_container_is_known_by_its_name_not_by_its_place(document: dict[str, Any]) -> None:
    other = copy.deepcopy(document)
    other["objects"][-1]["spec"]["containers"].insert(0, {"name": "first", "image": "x"})
    (found,) = comparing.documents(document, other)
    assert {field.path for field in found.fields} == {"spec.containers[first].name", "spec.containers[first].image"}


# -- the runs ---------------------------------------------------------------------------------------------------------
def outlines(*runs: Run) -> list[aligning.Outline]:
    return [aligning.outline(selectors.lines(run)) for run in runs]


def test_the_first_divergence_is_the_first_decision_that_differs(scenario: Scenario, without_budget: Scenario, play: Play) -> None:
    found = comparison.of([play(scenario), play(without_budget)], lang="en")
    parting = found["parting"]
    assert parting.path == "c1/candidates/n1"
    assert ("pdb_violations", "1", "0") in [(field.path, field.before, field.after) for field in parting.fields]
    before = found["steps"][: parting.row - found["first_step"] + 1]
    assert before
    assert all(step.is_same for step in before)


def test_every_event_of_both_runs_has_its_row_in_order(scenario: Scenario, without_budget: Scenario, play: Play) -> None:
    runs = [play(scenario), play(without_budget)]
    one, other = (selectors.events(run) for run in runs)
    rows = aligning.align(*outlines(*runs))
    assert [row.one for row in rows if row.one] == [event["seq"] for event in one]
    assert [row.other for row in rows if row.other] == [event["seq"] for event in other]
    shared = {event["path"] for event in one} & {event["path"] for event in other}
    assert {one[row.one - 1]["path"] for row in rows if row.one and row.other} == shared
    assert all(one[row.one - 1]["path"] == other[row.other - 1]["path"] for row in rows if row.one and row.other)


def test_two_steps_are_the_same_when_kind_message_and_data_are(scenario: Scenario, without_budget: Scenario, play: Play) -> None:
    runs = [play(scenario), play(without_budget)]
    one, other = (selectors.events(run) for run in runs)
    for row in aligning.align(*outlines(*runs)):
        if row.one and row.other:
            left, right = one[row.one - 1], other[row.other - 1]
            assert row.is_same == all(left[name] == right[name] for name in ("kind", "message", "data"))


def test_a_run_does_not_part_from_itself(run: Run) -> None:
    one, other = outlines(run, run)
    rows = aligning.align(one, other)
    assert aligning.parting(one, other, rows) is None
    assert all(row.is_same and row.one == row.other for row in rows)
    assert rows.stretches() == [(1, 1, run.last_seq)]


def test_stretches_unroll_to_the_rows(scenario: Scenario, without_budget: Scenario, play: Play) -> None:
    rows = aligning.align(*outlines(play(scenario), play(without_budget)))
    unrolled = [(one and one + step, other and other + step) for one, other, count in rows.stretches() for step in range(count)]
    assert unrolled == [(row.one, row.other) for row in rows]


def test_a_path_that_comes_twice_is_two_steps() -> None:
    line = b'{"seq":1,"t":0.0,"kind":"queue.moved","path":"queue/a","cause":null,"phase":null,"message":{},"data":{}}'
    found = aligning.outline([line, line, line])
    assert len(set(found.keys)) == 3
    assert len(set(found.essences)) == 1


def test_the_elimination_tables_are_one(scenario: Scenario, without_budget: Scenario, play: Play) -> None:
    table = comparison.of([play(scenario), play(without_budget)], lang="en")["tables"][0]
    assert (table.cycle, table.pod, table.rules) == ("c1", "shop/checkout", ("pdb-violations", "highest-priority"))
    found = {each.node: each for each in table.candidates}
    assert [(cell.one, cell.other) for cell in found["n1"].cells] == [(1, 0), (None, 10)]
    assert (found["n1"].out_one, found["n1"].wins_other, found["n2"].wins_one, found["n2"].out_other) == (1, True, True, 2)


def test_runs_that_part_late_are_compared_to_their_end(keep: Keep, play: Play, document: dict[str, Any]) -> None:
    """More events than one read of the log gives, and the difference lies in the last of them."""
    crowd = [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"p{i}", "namespace": "crowd"}, "spec": SMALL} for i in range(1500)]
    last = {"at": 100, "delete": {"kind": "Pod", "namespace": "crowd", "name": "p7"}}
    roomy = {**copy.deepcopy(document), "objects": [ROOM, *document["objects"], *crowd]}
    runs = [play(keep({**roomy, "timeline": timeline})) for timeline in ([last], [])]
    found = comparison.of(runs, lang="en")
    assert runs[0].last_seq > 9_000
    assert found["parting"].row > 9_000
    assert not found["is_cut"]
    assert "p7" in found["said"][0]


def test_a_comparison_that_is_cut_says_so(
    browser: Browser, scenario: Scenario, without_budget: Scenario, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(scenario), play(without_budget)
    monkeypatch.setattr(aligning, "MOST_EVENTS", 10)
    assert "the first 10 events" in browser.get(f"/d/{scenario.pk}...{without_budget.pk}?lang=en").content.decode()


# -- the page ---------------------------------------------------------------------------------------------------------
def test_the_page_says_it_all_without_javascript(
    browser: Browser, scenario: Scenario, without_budget: Scenario, django_capture_on_commit_callbacks: Any
) -> None:
    address = f"/d/{scenario.pk}...{without_budget.pk}"
    with django_capture_on_commit_callbacks(execute=True):
        browser.get(address)
    page = browser.get(address).content.decode()
    for text in (
        "PodDisruptionBudget shop/search",
        "spec.minAvailable",
        "First divergence",
        "c1/candidates/n1",
        "n1 wins by rule 2",
        "pdb_violations",
    ):
        assert text in page, text
    assert 'name="robots" content="noindex"' in page


def test_a_run_stands_for_its_scenario_and_the_form_takes_links(browser: Browser, scenario: Scenario, run: Run) -> None:
    assert browser.get(f"/d/{run.pk}...{scenario.pk}").status_code == 200
    answer = browser.get("/d/", {"one": f"http://testserver/s/{scenario.pk}?step=c1", "other": f" {run.pk} "})
    assert answer["Location"] == f"/d/{scenario.pk}...{run.pk}"
    assert browser.get("/d/").status_code == 200
    assert browser.get(f"/d/{scenario.pk}...nothere000").status_code == 404


def test_a_fork_is_one_click_from_its_parent(browser: Browser, scenario: Scenario, without_budget: Scenario) -> None:
    assert f'href="/d/{scenario.pk}...{without_budget.pk}"' in browser.get(f"/s/{without_budget.pk}").content.decode()


# -- variations -------------------------------------------------------------------------------------------------------
def test_variations_are_offered_from_what_the_scenario_holds(document: dict[str, Any]) -> None:
    keys = [each.key for each in variations.of(document)]
    assert keys == ["pdb.2.up", "pdb.2.down", "pdb.2.none", "policy.5", "priority.5.top", "priority.5.bottom", "gate.async", "seed"]


@pytest.mark.parametrize(
    "key", ["pdb.2.up", "pdb.2.down", "pdb.2.none", "policy.5", "priority.5.top", "priority.5.bottom", "gate.async", "seed"]
)
def test_every_variation_changes_one_thing_and_runs(browser: Browser, scenario: Scenario, key: str) -> None:
    answer = browser.post(f"/s/{scenario.pk}/vary", {"key": key})
    assert answer.status_code == 303
    fork = Scenario.objects.exclude(pk=scenario.pk).get()
    assert answer["Location"] == f"/d/{scenario.pk}...{fork.pk}"
    assert fork.parent_id == scenario.pk
    (found,) = comparing.documents(selectors.document(scenario), selectors.document(fork))
    assert found.what in {"changed", "removed"}


def test_an_unknown_variation_is_not_found(browser: Browser, scenario: Scenario) -> None:
    assert browser.post(f"/s/{scenario.pk}/vary", {"key": "pdb.99.up"}).status_code == 404
    assert browser.get(f"/s/{scenario.pk}/vary").status_code == 405


@pytest.mark.parametrize(
    "objects", [[], [{"kind": "Pod", "metadata": {"name": "x"}}], [{"kind": "PodDisruptionBudget", "metadata": {"name": "b"}}]]
)
def test_poor_documents_offer_what_they_can(objects: list[dict[str, Any]]) -> None:
    document = {"kind": "Scenario", "objects": objects}
    for each in variations.of(document):
        assert variations.varied(document, each.key) is not None
