"""The image and the compose file, as far as they can be checked without an engine for containers."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SCALED = ("web", "worker")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return loaded


@pytest.fixture(scope="module")
def dockerfile() -> list[tuple[str, str]]:
    """(instruction, rest) of every instruction, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def test_the_compose_file_follows_the_compose_specification() -> None:
    program = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [program, "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_services_depend_on_services_that_exist_and_can_be_healthy(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        for needed, how in service.get("depends_on", {}).items():
            assert needed in services, f"{name} depends on {needed}, which is no service"
            if how["condition"] == "service_healthy":
                health = services[needed].get("healthcheck", {})
                assert "test" in health and not health.get("disable"), f"{name} waits for {needed}, which has no health check"


def test_a_service_that_is_waited_for_to_end_does_end(compose: dict[str, Any]) -> None:
    services = compose["services"]
    awaited = {
        needed
        for service in services.values()
        for needed, how in service.get("depends_on", {}).items()
        if how["condition"] == "service_completed_successfully"
    }
    assert awaited == {"migrate"}
    assert services["migrate"]["restart"] == "on-failure"


@pytest.mark.parametrize("name", SCALED)
def test_a_scaled_service_has_nothing_that_two_of_it_would_fight_over(compose: dict[str, Any], name: str) -> None:
    service = compose["services"][name]
    assert not {"container_name", "ports", "hostname", "volumes", "mac_address"} & set(service)
    assert not any("ipv4_address" in str(network) for network in service.get("networks", []))


def test_every_named_volume_is_declared_and_used(compose: dict[str, Any]) -> None:
    used = {
        volume.split(":")[0]
        for service in compose["services"].values()
        for volume in service.get("volumes", [])
        if not volume.startswith((".", "/"))
    }
    assert used == set(compose["volumes"])


def test_every_mounted_file_exists(compose: dict[str, Any]) -> None:
    mounted = [volume.split(":")[0] for service in compose["services"].values() for volume in service.get("volumes", [])]
    assert all((ROOT / path).exists() for path in mounted if path.startswith("."))


def test_only_the_proxy_can_be_reached_from_outside(compose: dict[str, Any]) -> None:
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["proxy"]


def test_every_server_has_a_health_check_and_comes_back(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        if name != "migrate":
            assert "test" in service["healthcheck"], name
            assert service["restart"] == "unless-stopped", name


def test_no_secret_is_written_down(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        for variable, value in service.get("environment", {}).items():
            if re.search("PASSWORD|SECRET", variable):
                assert re.fullmatch(r"\$\{\w+:\?[^}]+\}", value), f"{name}.{variable}"


def test_web_and_worker_share_one_environment(compose: dict[str, Any]) -> None:
    web, worker = (compose["services"][name]["environment"] for name in SCALED)
    assert web.items() <= worker.items()
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"} <= set(web)


def test_images_are_plain_names_with_a_version(compose: dict[str, Any], dockerfile: list[tuple[str, str]]) -> None:
    images = [service["image"] for service in compose["services"].values() if "build" not in service]
    images += [rest.split()[0] for word, rest in dockerfile if word == "FROM"]
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+", image) for image in images), images


def test_the_image_does_not_run_as_root(dockerfile: list[tuple[str, str]]) -> None:
    users = [rest for word, rest in dockerfile if word == "USER"]
    assert users and users[-1] not in {"root", "0"}
    last_user = max(place for place, (word, _) in enumerate(dockerfile) if word == "USER")
    assert not [rest for word, rest in dockerfile[last_user:] if word == "RUN"]


def test_the_image_installs_from_the_hashed_lock(dockerfile: list[tuple[str, str]]) -> None:
    installs = [rest for word, rest in dockerfile if word == "RUN" and "pip install" in rest]
    assert len(installs) == 1
    assert "--require-hashes -r requirements.lock" in installs[0]


def test_the_image_has_a_health_check(dockerfile: list[tuple[str, str]]) -> None:
    assert "HEALTHCHECK" in [word for word, _ in dockerfile]


def test_what_the_image_copies_exists_and_is_not_ignored(dockerfile: list[tuple[str, str]]) -> None:
    copied = [path for word, rest in dockerfile if word == "COPY" and "--from" not in rest for path in rest.split()[:-1]]
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied
    for path in copied:
        assert (ROOT / path).exists(), path
        assert path in allowed, f"{path} is copied but .dockerignore leaves it out"


def test_commands_of_the_containers_name_modules_that_exist(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        command = service.get("command", [])
        if command[:2] == ["python", "-m"]:
            assert importlib.util.find_spec(command[2]) is not None, name


def test_the_proxy_configuration_is_valid() -> None:
    caddy = shutil.which("caddy")
    if not caddy:
        pytest.skip("caddy is not installed; it is not needed for anything else")
    done = subprocess.run(
        [caddy, "validate", "--adapter", "caddyfile", "--config", "playground/deploy/Caddyfile"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
