"""What is wrong with an input is said in the language of who asks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client as Browser

import scheduler_core
from playground import engine, problem_words

URL = "/api/v1"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c%s}]%s}\n"


@pytest.fixture(autouse=True)
def real_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its messages are what this is about."""
    monkeypatch.setattr(engine, "core", scheduler_core)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "文本为空：请粘贴 YAML 或 JSON 格式的 Kubernetes 对象"),
        ("5", "应为 Kubernetes 对象，而不是数字 5"),
        ("kind: Pod\nmetadata: {name: x}\nspec: {containers: [{name: c}]}", "必须填写：v1（Pod）"),
        (POD % ("", ", priority: high"), "应为整数，而不是文本 'high'"),
        (POD % (", resources: {requests: {cpu: 1core}}", ""), "'1core' 的后缀 'core' 无法识别"),
        (POD % ("", ", nodeName: [n1]"), "应为文本，而不是列表"),
        (POD.replace("name: a", "name: A_b") % ("", ""), "'A_b' 不是有效的名称：只能用小写字母、数字、'-' 与 '.'，首尾须为字母或数字"),
        ("a: *b", "别名 *b 之前没有对应的锚点"),
        ("a: 1\na: 2", "键 'a' 出现了两次"),
        ('{"a": 1', "文本不是 JSON：expecting ',' delimiter（第 8 列）"),
    ],
)
def test_messages_of_the_engine_are_translated_with_what_stands_in_them(browser: Browser, db: None, text: str, said: str) -> None:
    def ask(lang: str) -> list[dict[str, Any]]:
        answer = browser.post(f"{URL}/scenarios", text.encode(), content_type="application/yaml", headers={"Accept-Language": lang})
        assert answer.status_code == 400
        return list(answer.json()["problems"])

    chinese, english = ask("zh-CN"), ask("en")
    assert said in [each["message"] for each in chinese]
    assert [(each["path"], each["line"]) for each in chinese] == [(each["path"], each["line"]) for each in english]
    assert not any(re.search("[\u4e00-\u9fff]", each["message"]) for each in english)


def test_pages_say_it_in_their_own_language(browser: Browser, db: None) -> None:
    answer = browser.post("/new?lang=zh-hans", {"manifests": POD % (", resources: {requests: {cpu: 1core}}", "")})
    assert answer.status_code == 400
    assert "的后缀" in answer.content.decode()


def test_a_plain_client_is_answered_in_english(browser: Browser, db: None) -> None:
    assert browser.get(f"{URL}/runs/nope").json()["title"] == "There is nothing at this address"
    assert browser.get(f"{URL}/runs/nope", headers={"Accept-Language": "zh"}).json()["title"] == "这个地址没有内容"


def test_every_translation_has_the_holes_of_its_text() -> None:
    for text, translation in problem_words.catalogue("zh-hans").items():
        assert text.count("{}") == translation.count("{}"), text
        assert problem_words.said(text, "en") == text


@pytest.mark.parametrize("text", ["0/3 nodes are available: 3 Insufficient cpu.", "x" * 5000, "", "is required: " * 50])
def test_what_has_no_translation_stays(text: str) -> None:
    assert problem_words.said(text, "zh-hans") == text


def test_every_text_of_the_catalogue_is_one_that_the_code_says() -> None:
    """Texts are found in the source by the end of their longest piece without holes: some are put together from two."""
    from pathlib import Path

    root = Path(scheduler_core.__file__).parent.parent
    source = "\n".join(file.read_text() for folder in ("scheduler_core", "playground") for file in (root / folder).rglob("*.py"))
    missing = [text for text in problem_words.catalogue("zh-hans") if max(text.split("{}"), key=len).strip(" :,")[-10:] not in source]
    assert missing == []
