"""HTTP extenders against a real server: every verb, and everything that may go wrong on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from playground.runs import extender_http
from playground.runs.extender_hosts import Allowed
from playground.runs.extender_http import HttpTransport
from scheduler_core import ExtenderError
from scheduler_core.extenders.remote import RemoteExtender, remote_extenders, seconds_of
from scheduler_core.framework.extender import Victims
from tests.extenders.clusters import Bench, node, pod
from tests.extenders.server import Answer, ExtenderServer, as_json


@pytest.fixture
def server() -> Iterator[ExtenderServer]:
    with ExtenderServer().running() as running:
        yield running


def transport(*allowed: str, resolve: Callable[[str, int], list[str]] | None = None, **settings: Any) -> HttpTransport:
    chosen = {"seconds": 2.0, "answer_bytes": 20_000, **settings}
    if resolve is not None:
        chosen["resolve"] = resolve
    return HttpTransport(allowed=Allowed.parse(allowed or ("127.0.0.1",)), **chosen)


def extender(server: ExtenderServer, *, by: HttpTransport | None = None, **settings: Any) -> RemoteExtender:
    verbs = {"filterVerb": "filter", "prioritizeVerb": "prioritize", "preemptVerb": "preempt", "bindVerb": "bind", "weight": 2}
    document = {"urlPrefix": f"{server.url}/scheduler/", **verbs, **settings}
    return remote_extenders([document], by or transport())[0]


@pytest.fixture
def bench() -> Bench:
    return Bench(node("n1"), node("n2"), pod("low", on="n1"), pod("other", on="n1"), pod("new", priority=5))


# ---- the verbs -----------------------------------------------------------------------------------------------------


def test_filter_sends_nodes_and_takes_back_those_left(server: ExtenderServer, bench: Bench) -> None:
    kept = {"metadata": {"name": "n2"}}
    answer = {"Nodes": {"items": [kept]}, "FailedNodes": {"n1": "full"}, "FailedAndUnresolvableNodes": {"n3": "never"}, "Error": ""}
    server.answers["/scheduler/filter"] = as_json(answer)
    result = extender(server).filter(bench.pending["new"], bench.cluster.nodes)
    assert (list(result.nodes), result.failed, result.failed_and_unresolvable) == (["n2"], {"n1": "full"}, {"n3": "never"})
    assert result.knows_only_objects
    path, sent = server.asked[0]
    assert path == "/scheduler/filter"
    assert [item["metadata"]["name"] for item in sent["Nodes"]["items"]] == ["n1", "n2"]
    assert sent["NodeNames"] is None
    assert (sent["Pod"]["metadata"]["uid"], sent["Pod"]["spec"]["priority"]) == ("uid-new", 5)


def test_filter_with_a_node_cache_sends_and_takes_names(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = as_json({"nodenames": ["n2"]})
    result = extender(server, nodeCacheCapable=True).filter(bench.pending["new"], bench.cluster.nodes)
    assert list(result.nodes) == ["n2"]
    assert not result.knows_only_objects
    assert server.asked[0][1]["NodeNames"] == ["n1", "n2"]
    assert server.asked[0][1]["Nodes"] is None


def test_prioritize_gives_scores_by_host(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/prioritize"] = as_json([{"Host": "n1", "Score": 3}, {"Host": "n2", "Score": 10}, {"Host": "n1", "Score": 1}])
    assert extender(server).prioritize(bench.pending["new"], bench.cluster.nodes) == {"n1": 4, "n2": 10}


@pytest.mark.parametrize("cached", [False, True])
def test_preempt_sends_victims_and_takes_back_their_uids(server: ExtenderServer, bench: Bench, cached: bool) -> None:
    server.answers["/scheduler/preempt"] = as_json(
        {"NodeNameToMetaVictims": {"n1": {"Pods": [{"UID": "uid-other"}, {"UID": "uid-low"}], "NumPDBViolations": 1}}}
    )
    victims = {"n1": Victims((bench.bound("low"),), 0)}
    answer = extender(server, nodeCacheCapable=cached).preempt(bench.pending["new"], victims, bench.pods_on)
    assert answer == {"n1": Victims((bench.bound("other"), bench.bound("low")), 1)}
    sent = server.asked[0][1]
    if cached:
        assert sent["NodeNameToMetaVictims"] == {"n1": {"Pods": [{"UID": "uid-low"}], "NumPDBViolations": 0}}
        assert sent["NodeNameToVictims"] is None
    else:
        assert sent["NodeNameToVictims"]["n1"]["Pods"][0]["metadata"]["name"] == "low"
        assert sent["NodeNameToMetaVictims"] is None


def test_bind_names_the_pod_and_the_node(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/bind"] = as_json({})
    extender(server).bind(bench.pending["new"], "n2")
    assert server.asked == [("/scheduler/bind", {"PodName": "new", "PodNamespace": "default", "PodUID": "uid-new", "Node": "n2"})]


# ---- what the extender says is wrong ---------------------------------------------------------------------------------


def test_an_error_in_the_answer_is_the_error(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = server.answers["/scheduler/bind"] = as_json({"Error": "out of tea"})
    with pytest.raises(ExtenderError, match=r"^out of tea$"):
        extender(server).filter(bench.pending["new"], bench.cluster.nodes)
    with pytest.raises(ExtenderError, match=r"^out of tea$"):
        extender(server).bind(bench.pending["new"], "n1")


WRONG_ANSWERS = {
    "a name that was not sent": ("filter", {"NodeNames": ["n9"]}, 'claims a filtered node "n9" which is not found in the input node list'),
    "names that are a text": ("filter", {"NodeNames": "n1"}, "cannot unmarshal string into ExtenderFilterResult.NodeNames"),
    "an answer that is a list": ("filter", [], "cannot unmarshal array into ExtenderFilterResult"),
    "messages that are numbers": ("filter", {"FailedNodes": {"n1": 3}}, "ExtenderFilterResult.FailedNodes"),
    "scores that are an object": ("prioritize", {}, "cannot unmarshal object into HostPriorityList"),
    "a score that is no whole number": ("prioritize", [{"Host": "n1", "Score": 1.5}], "HostPriority.Score"),
    "a score past 64 bits": ("prioritize", [{"Host": "n1", "Score": 2**63}], "HostPriority.Score"),
}


@pytest.mark.parametrize("case", WRONG_ANSWERS)
def test_an_answer_of_the_wrong_form_is_an_error(case: str, server: ExtenderServer, bench: Bench) -> None:
    verb, answer, message = WRONG_ANSWERS[case]
    server.answers[f"/scheduler/{verb}"] = as_json(answer)
    ask = getattr(extender(server, nodeCacheCapable=True), verb)
    with pytest.raises(ExtenderError, match=message):
        ask(bench.pending["new"], bench.cluster.nodes)


def test_victims_that_are_not_on_the_node_are_an_error(server: ExtenderServer, bench: Bench) -> None:
    asked = extender(server)
    victims = {"n1": Victims((bench.bound("low"),), 0)}
    server.answers["/scheduler/preempt"] = as_json({"NodeNameToMetaVictims": {"n2": {"Pods": [{"UID": "uid-low"}]}}})
    with pytest.raises(ExtenderError, match=r"claims to preempt pod \(UID: uid-low\) on node: n2, but the pod is not found on that node"):
        asked.preempt(bench.pending["new"], victims, bench.pods_on)
    server.answers["/scheduler/preempt"] = as_json({"NodeNameToMetaVictims": {"n7": {}}})
    with pytest.raises(ExtenderError, match='nodeinfo not found for node name "n7"'):
        asked.preempt(bench.pending["new"], victims, bench.pods_on)


@pytest.mark.parametrize("body", [b"", b"<html>", b"{", b"[" * 20_000], ids=["nothing", "HTML", "half", "a tower"])
def test_an_answer_that_is_no_json_is_an_error(body: bytes, server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = Answer(body)
    with pytest.raises(ExtenderError, match="did not answer with JSON"):
        extender(server).filter(bench.pending["new"], bench.cluster.nodes)


@pytest.mark.parametrize("status", [404, 500, 204])
def test_a_status_but_200_is_an_error_with_its_number(status: int, server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = Answer(b"" if status == 204 else b"{}", status=status)
    with pytest.raises(ExtenderError, match=f"failed filter with extender at URL {server.url}/scheduler/filter, code {status}"):
        extender(server).filter(bench.pending["new"], bench.cluster.nodes)


def test_a_redirect_is_not_followed(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = Answer(status=307, headers={"Location": f"{server.url}/secret"})
    with pytest.raises(ExtenderError, match="code 307"):
        extender(server).filter(bench.pending["new"], bench.cluster.nodes)
    assert [path for path, _ in server.asked] == ["/scheduler/filter"]


def test_null_says_as_little_as_nothing() -> None:
    empty = dict.fromkeys(("filterVerb", "weight", "managedResources", "tlsConfig", "httpTimeout", "ignorable"))
    (asked, nothing) = remote_extenders([{"urlPrefix": "http://e", **empty}, None], transport())
    assert (asked.filters, asked.weight, asked.timeout_seconds, asked.ignorable) == (False, 0, 5.0, False)
    assert nothing.name == ""


@pytest.mark.parametrize(("text", "seconds"), [("5s", 5.0), ("1m30s", 90.0), ("300ms", 0.3), ("1.5h", 5400.0), ("soon", 0.0), ("", 0.0)])
def test_durations_are_read_as_go_writes_them(text: str, seconds: float) -> None:
    assert seconds_of(text) == pytest.approx(seconds)


# ---- time and size -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [Answer(b"{}", pause=3), Answer(b" " * 100 + b"{}", pieces=100, pause=0.1)],
    ids=["says nothing for long", "drips bytes"],
)
def test_a_slow_answer_is_cut_off(answer: Answer, server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = answer
    began = time.monotonic()
    with pytest.raises(ExtenderError, match="it took too long"):
        extender(server, httpTimeout="300ms").filter(bench.pending["new"], bench.cluster.nodes)
    assert time.monotonic() - began < 1.5


def test_the_operators_time_limit_counts_when_the_scenario_asks_for_more(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = Answer(pause=3)
    began = time.monotonic()
    with pytest.raises(ExtenderError, match="it took too long"):
        extender(server, by=transport(seconds=0.3), httpTimeout="10m").filter(bench.pending["new"], bench.cluster.nodes)
    assert time.monotonic() - began < 1.5


def test_all_calls_of_a_run_share_one_stretch_of_time(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = Answer(pause=0.4)
    slow = extender(server, by=transport(total_seconds=0.3))
    with pytest.raises(ExtenderError, match="it took too long"):
        slow.filter(bench.pending["new"], bench.cluster.nodes)
    with pytest.raises(ExtenderError, match="the time that extenders may take in one run is used up"):
        slow.filter(bench.pending["new"], bench.cluster.nodes)
    assert len(server.asked) == 1


@pytest.mark.parametrize("headers", [{}, {"Content-Length": "20"}], ids=["announced", "announced smaller"])
def test_an_answer_that_is_too_large_is_an_error(headers: dict[str, str], server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = Answer(b'{"Error": "' + b"x" * 50_000 + b'"}', headers=headers)
    with pytest.raises(ExtenderError, match=r"the answer is larger than 20000 bytes|did not answer with JSON"):
        extender(server).filter(bench.pending["new"], bench.cluster.nodes)


def test_an_answer_that_ends_too_early_is_an_error(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/scheduler/filter"] = Answer(b"{}", headers={"Content-Length": "100", "Connection": "close"})
    with pytest.raises(ExtenderError, match="Post"):
        extender(server).filter(bench.pending["new"], bench.cluster.nodes)


# ---- where requests may go -------------------------------------------------------------------------------------------


def test_without_allowed_hosts_there_is_no_transport(settings: Any) -> None:
    settings.EXTENDER_ALLOWED_HOSTS = Allowed.parse([])
    assert extender_http.transport() is None
    settings.EXTENDER_ALLOWED_HOSTS = Allowed.parse(["extender.example.com"])
    assert extender_http.transport() is not None


REFUSED_URLS = {
    "another host": ("http://10.0.0.9/x", "10.0.0.9:80 is not among the hosts"),
    "another port": ("http://named.example:81/x", "named.example:81 is not among the hosts"),
    "another scheme": ("file:///etc/passwd", 'unsupported protocol scheme "file"'),
    "a user": ("http://me@named.example/x", "must be scheme, host, port and path only"),
    "a query": ("http://named.example/x?", None),
    "a line break": ("http://named.example/x\r\nHost: y", None),
    "no host": ("http:///x", "must be scheme, host, port and path only"),
    "a port past the last": ("http://named.example:99999/x", "Port out of range"),
}


@pytest.mark.parametrize("case", REFUSED_URLS)
def test_a_url_that_leads_elsewhere_is_refused(case: str, bench: Bench) -> None:
    url, message = REFUSED_URLS[case]
    never = transport("named.example:80", resolve=lambda host, port: pytest.fail("nothing is looked up"))
    asked = remote_extenders([{"urlPrefix": url, "filterVerb": "?a=b" if case == "a query" else "filter"}], never)[0]
    with pytest.raises(ExtenderError, match=message):
        asked.filter(bench.pending["new"], bench.cluster.nodes)


SPECIAL = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "2002:7f00:1::",
    "2001:db8::1",
]


@pytest.mark.parametrize("address", SPECIAL)
def test_a_name_that_leads_to_a_special_address_is_refused(address: str, bench: Bench) -> None:
    sly = transport("named.example", resolve=lambda host, port: ["93.184.215.14", address])
    asked = remote_extenders([{"urlPrefix": "http://named.example", "filterVerb": "filter"}], sly)[0]
    with pytest.raises(ExtenderError, match="which extenders may not have here"):
        asked.filter(bench.pending["new"], bench.cluster.nodes)


def test_a_name_is_looked_up_once_and_that_address_connected_to(server: ExtenderServer, bench: Bench) -> None:
    server.answers["/bind"] = as_json({})
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["93.184.215.14"]

    by = transport("named.example", f"127.0.0.1:{server.port}", resolve=resolve)
    named = remote_extenders([{"urlPrefix": f"http://Named.Example.:{server.port}", "bindVerb": "bind"}], by)[0]
    named.bind(bench.pending["new"], "n1")
    named.bind(bench.pending["new"], "n2")
    assert asked == ["named.example"]
    assert len(server.asked) == 2


def test_a_look_up_that_takes_too_long_is_cut_off(bench: Bench) -> None:
    def resolve(host: str, port: int) -> list[str]:
        time.sleep(1)
        return []

    slow = remote_extenders(
        [{"urlPrefix": "http://named.example", "bindVerb": "bind"}], transport("named.example", seconds=0.2, resolve=resolve)
    )[0]
    began = time.monotonic()
    with pytest.raises(ExtenderError, match=r"looking up named.example took too long"):
        slow.bind(bench.pending["new"], "n1")
    assert time.monotonic() - began < 0.9


def test_a_server_that_is_not_there_is_an_error(server: ExtenderServer, bench: Bench) -> None:
    nowhere = remote_extenders([{"urlPrefix": "http://127.0.0.1:1", "bindVerb": "bind"}], transport())[0]
    with pytest.raises(ExtenderError, match=r"[Rr]efused"):
        nowhere.bind(bench.pending["new"], "n1")


@pytest.mark.parametrize("entry", ["http://x", "a/b", "", "x:y", "me@x"])
def test_an_entry_that_is_no_host_stops_the_start(entry: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EXTENDER_ALLOWED_HOSTS"):
        Allowed.parse([entry])


def test_files_of_this_machine_are_not_read_for_tls(server: ExtenderServer, bench: Bench) -> None:
    document = {"urlPrefix": f"https://127.0.0.1:{server.port}", "bindVerb": "bind", "tlsConfig": {"caFile": "/etc/passwd"}}
    with pytest.raises(ExtenderError, match=r"tlsConfig\.caFile is not read here"):
        remote_extenders([document], transport())[0].bind(bench.pending["new"], "n1")
