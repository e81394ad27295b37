"""What is stored: scenarios, which must never be lost; runs and their logs, which can be made again.

The one rule: nothing here decides anything. Status changes are compare-and-set updates in the modules of playground.runs.
"""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models


class Scenario(models.Model):
    """A Scenario document, immutable, named after its content. Deleted ones stay as tombstones without a document."""

    id = models.CharField(primary_key=True, max_length=64)
    digest = models.BinaryField(max_length=32, unique=True)
    document = models.BinaryField(help_text="zstd of the canonical JSON")
    title = models.CharField(max_length=300, blank=True)
    summary = models.TextField(blank=True)
    tags = models.JSONField(default=list)
    counts = models.JSONField(default=dict)
    warnings = models.JSONField(default=list)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="forks")
    owner_token_hash = models.CharField(max_length=64, null=True, blank=True)
    client = models.CharField(max_length=64, blank=True, help_text="keyed hash of the browser that saved it first")
    created = models.DateTimeField(auto_now_add=True)
    deleted = models.DateTimeField(null=True, blank=True)
    blocked = models.DateTimeField(null=True, blank=True, help_text="the operator took it away: the same content cannot be saved again")

    def __str__(self) -> str:
        return f"{self.id} {self.title}".strip()

    @property
    def is_deleted(self) -> bool:
        """Whether only the tombstone is left."""
        return self.deleted is not None


class Status(models.TextChoices):
    """Where a run stands. The last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    LIMIT = "limit"


FINAL: Final = frozenset({Status.FINISHED, Status.FAILED, Status.LIMIT})


class Run(models.Model):
    """One simulation of a scenario. Its events are the chunks; ``last_seq`` is the last one stored."""

    id = models.CharField(primary_key=True, max_length=64)
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="runs")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    last_seq = models.PositiveIntegerField(default=0)
    engine = models.CharField(max_length=40, blank=True)
    error = models.CharField(max_length=500, blank=True)
    client = models.CharField(max_length=64, blank=True)
    continues = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="continued_by")
    after_seq = models.PositiveIntegerField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    enqueued = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(null=True, blank=True)
    lease_owner = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    log_digest = models.CharField(max_length=32, blank=True, help_text="BLAKE2 of every event so far, so that a repetition can be compared")
    attempts = models.PositiveSmallIntegerField(default=0)
    log_dropped = models.DateTimeField(null=True, blank=True, help_text="since when its events are gone, to be made again on demand")
    first_engine = models.CharField(max_length=40, blank=True, help_text="the engine of the log that was dropped")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["status", "enqueued"], name="run_status_enqueued"),
            models.Index(fields=["client", "status"], name="run_client_status"),
        ]

    def __str__(self) -> str:
        return f"{self.id} {self.status} {self.last_seq}"

    @property
    def is_final(self) -> bool:
        """Whether no event will be added any more."""
        return self.status in FINAL

    @property
    def engine_changed(self) -> bool:
        """Whether the events were made again by another engine than the one whose steps people may have linked to."""
        return bool(self.first_engine) and bool(self.engine) and self.first_engine != self.engine


class RunChunk(models.Model):
    """Events ``first_seq`` to ``last_seq`` of a run, without a gap: zstd of one JSON text a line (playground.chunks)."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="chunks")
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    payload = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "first_seq"], name="chunk_of_run_once")]
        indexes: ClassVar = [models.Index(fields=["run", "last_seq"], name="chunk_run_last_seq")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.first_seq}-{self.last_seq}"


class GalleryEntry(models.Model):
    """A scenario of the gallery: its file's name, its place, and what it claims (``expect`` is checked by tests, never shown raw)."""

    slug = models.SlugField(primary_key=True, max_length=80)
    order = models.PositiveIntegerField(default=0)
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="gallery_entries")
    document = models.JSONField(default=dict, help_text="what the file says beside the Scenario")

    class Meta:
        ordering: ClassVar = ["order", "slug"]
        verbose_name_plural = "gallery entries"

    def __str__(self) -> str:
        return self.slug


class Report(models.Model):
    """Somebody thinks that a scenario should not be here. Read by the operator, shown to nobody else."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="reports")
    reason = models.TextField(max_length=2000)
    client = models.CharField(max_length=64, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    handled = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-created"]

    def __str__(self) -> str:
        return f"{self.scenario_id} {self.created:%Y-%m-%d}"
