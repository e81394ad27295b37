"""The API keeps what its description promises, whatever is sent: schemathesis, with a small budget."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from playground.asgi import application

pytestmark = pytest.mark.django_db(transaction=True)
schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", application, headers={"Host": "localhost"})
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_call_answers_as_described(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS, headers={"Host": "localhost"})
