"""The openb trace as Kubernetes objects: ``python -m tests.bench.openb`` prints a v1 List as JSON.

The one rule: the trace is not touched; what it has no Kubernetes word for (fractions of a GPU, times of deletion) is left out.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).resolve().parents[1] / "data" / "openb"
CLASSES: Final = {"LS": 10_000, "Guaranteed": 5_000, "Burstable": 1_000, "BE": 0}
ZONES: Final = 3
_START: Final = datetime(2023, 1, 1, tzinfo=UTC)


def objects(nodes: int | None = None, pods: int | None = None) -> list[dict[str, Any]]:
    """Priority classes, the first ``nodes`` nodes and ``pods`` pods of the trace (all: 1,523 and 8,152), in its order of creation."""
    classes = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name.lower()}, "value": value}
        for name, value in CLASSES.items()
    ]
    rows = [_node(row, k) for k, row in enumerate(_table("nodes", nodes))]
    return [*classes, *rows, *(_pod(row) for row in _table("pods", pods))]


def _table(name: str, most: int | None) -> Iterator[dict[str, str]]:
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        for k, row in enumerate(csv.DictReader(file)):
            if most is not None and k >= most:
                return
            yield row


def _node(row: dict[str, str], number: int) -> dict[str, Any]:
    labels = {"kubernetes.io/hostname": row["sn"], "topology.kubernetes.io/zone": f"zone-{number % ZONES}"}
    room = {"cpu": f"{row['cpu_milli']}m", "memory": f"{row['memory_mib']}Mi", "pods": "110"}
    if int(row["gpu"]):
        labels["gpu-model"] = row["model"]
        room["nvidia.com/gpu"] = row["gpu"]
    status = {"capacity": room, "allocatable": room}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": row["sn"], "labels": labels}, "spec": {}, "status": status}


def _pod(row: dict[str, str]) -> dict[str, Any]:
    requests = {"cpu": f"{row['cpu_milli']}m", "memory": f"{row['memory_mib']}Mi"}
    resources: dict[str, Any] = {"requests": requests}
    if int(row["num_gpu"]):
        requests["nvidia.com/gpu"] = row["num_gpu"]
        resources["limits"] = {"nvidia.com/gpu": row["num_gpu"]}
    quality = row["qos"].lower()
    spec: dict[str, Any] = {
        "priorityClassName": quality,
        "priority": CLASSES[row["qos"]],
        "containers": [{"name": "task", "image": "registry.example/task:1", "resources": resources}],
    }
    if row["gpu_spec"]:
        match = {"key": "gpu-model", "operator": "In", "values": row["gpu_spec"].split("|")}
        required = {"nodeSelectorTerms": [{"matchExpressions": [match]}]}
        spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    created = (_START + timedelta(seconds=int(row["creation_time"]))).strftime("%Y-%m-%dT%H:%M:%SZ")
    metadata = {"name": row["name"], "namespace": "default", "uid": row["name"], "labels": {"qos": quality}, "creationTimestamp": created}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}


def main() -> None:
    """Print the List."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.openb", description=__doc__)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--pods", type=int)
    args = parser.parse_args()
    print(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects(args.nodes, args.pods)}))


if __name__ == "__main__":
    main()
