"""``{% t "key" count=3 %}`` in templates. The one rule: text only; the result is escaped like any other."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from playground import presenters, problem_words, wording
from playground.models import Scenario

register = template.Library()


@register.simple_tag
def t(key: str, **args: Any) -> SafeString:
    """The words of a key in the language of the page, escaped."""
    return conditional_escape(wording.say(key, args))


@register.simple_tag
def words(key: str, args: dict[str, Any]) -> SafeString:
    """The words of a key with arguments that Python gathered, escaped."""
    return conditional_escape(wording.say(key, dict(args)))


@register.filter
def titled(scenario: Scenario, lang: str = "") -> str:
    """The title of a scenario in the language of the page, or in ``lang``; empty when it has none."""
    return presenters.title_of(scenario, lang=lang or wording.language())


@register.filter
def problem_said(message: str) -> str:
    """What is wrong, in the language of the page."""
    return problem_words.said(message)


@register.filter
def rule_name(rule: str) -> str:
    """What a rule of the best pick is called."""
    return wording.say(f"rule.{rule}")
