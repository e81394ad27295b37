"""The calls of the API for a page: method, path, what it does, what it takes and answers, read from its own description.

The one rule: nothing is written twice; what the page says is what the description says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a call; ``where`` is path, query or body."""

    name: str
    where: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call; ``answers`` are (status, fields)."""

    method: str
    path: str
    summary: str
    text: str
    parameters: tuple[Parameter, ...]
    answers: tuple[tuple[str, str], ...]

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return f"{self.method.lower()}-{self.path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}"


def calls(schema: Mapping[str, Any]) -> list[Call]:
    """Every call of an OpenAPI document, in its order."""
    found = []
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            found.append(_call(method.upper(), path, operation, schema))
    return found


def _call(method: str, path: str, operation: Mapping[str, Any], schema: Mapping[str, Any]) -> Call:
    parameters = [
        Parameter(name=each["name"], where=each["in"], text=_said(each.get("schema", {}), each.get("description", "")))
        for each in operation.get("parameters", ())
    ]
    body = operation.get("requestBody")
    if body:
        kinds = ", ".join(body["content"])
        parameters.append(Parameter(name="body", where=kinds, text=body.get("description", "") or _fields(body["content"], schema)))
    answers = tuple((str(status), _fields(each.get("content", {}), schema)) for status, each in operation["responses"].items())
    return Call(
        method=method,
        path=path,
        summary=operation.get("summary", ""),
        text=operation.get("description", ""),
        parameters=tuple(parameters),
        answers=answers,
    )


def _said(schema: Mapping[str, Any], text: str) -> str:
    kind = schema.get("type", "")
    default = f", {schema['default']} when left out" if schema.get("default") not in (None, "") else ""
    return ": ".join(each for each in (f"{kind}{default}".strip(", "), text or schema.get("description", "")) if each)


def _fields(content: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    for each in content.values():
        name = each.get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
        if name:
            return ", ".join(schema["components"]["schemas"][name].get("properties", {}))
    return ""
