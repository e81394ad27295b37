"""``python -m tests.conformance.score``: hold every case against the engine and write the score to ``docs/conformance.json``.

The one rule: what the documentation page shows is what this printed, with the engine that it was printed for.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scheduler_core import ENGINE_VERSION, MODELS
from scheduler_core.conformance import answer
from tests.conformance.compare import case_differences
from tests.conformance.test_conformance import FILES, cases_of

TARGET = Path(__file__).parent.parent.parent / "docs" / "conformance.json"


def score() -> dict[str, Any]:
    """How many cases of each family are decided as kube-scheduler decides them."""
    families = {}
    for path in FILES:
        cases = list(cases_of(path))
        right = sum(not case_differences(case.pop("expected"), answer(case)) for case in cases)
        families[path.name.split(".")[0]] = {"cases": len(cases), "as_kube_scheduler": right}
    return {
        "engine": ENGINE_VERSION,
        "reference": "kube-scheduler v1.34.1",
        "models": MODELS,
        "date": datetime.now(UTC).date().isoformat(),
        "cases": sum(entry["cases"] for entry in families.values()),
        "as_kube_scheduler": sum(entry["as_kube_scheduler"] for entry in families.values()),
        "families": families,
    }


if __name__ == "__main__":
    document = score()
    TARGET.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    print(f"{document['as_kube_scheduler']} of {document['cases']} cases as kube-scheduler")
    sys.exit(document["as_kube_scheduler"] != document["cases"])
