"""``{% preload_modules "js/run.js" %}``: tells the browser every module that a page will import, before it finds out one by one."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from playground.pages import modules

register = template.Library()


@register.simple_tag
def preload_modules(entry: str) -> SafeString:
    """A link for each module that ``entry`` needs."""
    return format_html_join("", '<link rel="modulepreload" href="{}">', ((static(path),) for path in modules.needed_by(entry)))
