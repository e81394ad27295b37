"""The syntax of names, label keys and label values, as an API server checks it.

The one rule: a check returns what is wrong as text, or "" when nothing is. Mirrors
k8s.io/apimachinery/pkg/util/validation at 1.34; the messages are our own.
"""

from __future__ import annotations

import re
from typing import Final

_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED: Final = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_LABEL_VALUE: Final = re.compile(r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:79] + "…")


def subdomain_error(name: str) -> str:
    """A DNS-1123 subdomain: what most objects are named by."""
    if len(name) > 253:
        return f"{_shown(name)} is longer than 253 characters"
    if _SUBDOMAIN.fullmatch(name):
        return ""
    return f"{_shown(name)} is not a valid name: lower case letters, digits, '-' and '.', beginning and ending with a letter or digit"


def label_error(name: str) -> str:
    """A DNS-1123 label: namespaces, containers, volumes."""
    if len(name) > 63:
        return f"{_shown(name)} is longer than 63 characters"
    if _LABEL.fullmatch(name):
        return ""
    return f"{_shown(name)} is not a valid name: lower case letters, digits and '-', beginning and ending with a letter or digit"


def path_segment_error(name: str) -> str:
    """What every name has to keep to: it is a part of a path."""
    if name in (".", "..") or "/" in name or "%" in name or len(name) > 253:
        return f"{_shown(name)} is not a valid name: it may not be '.' or '..', nor hold '/' or '%', nor be longer than 253 characters"
    return ""


def qualified_name_error(key: str) -> str:
    """A label key, taint key or resource name: ``[prefix/]name``."""
    prefix, slash, name = key.rpartition("/")
    if slash and (not prefix or subdomain_error(prefix)):
        return f"{_shown(key)} is not a valid key: what stands before '/' must be a DNS name"
    if len(name) <= 63 and _QUALIFIED.fullmatch(name):
        return ""
    return f"{_shown(key)} is not a valid key: up to 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"


def label_value_error(value: str) -> str:
    """The value of a label: empty, or up to 63 characters."""
    if len(value) <= 63 and _LABEL_VALUE.fullmatch(value):
        return ""
    rule = "up to 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit"
    return f"{_shown(value)} is not a valid label value: {rule}"
