"""A faithful model of kube-scheduler's decisions: a pure function from a scenario to a log of events.

This is the front door: whoever is outside the package uses these names and no others.
"""

from scheduler_core.admission import InputLimits, Loaded, load
from scheduler_core.api import Operation, Scenario, canonical_json, scenario_from_document, with_missing_nodes
from scheduler_core.errors import EngineBugError, InvalidInputError, Problem, SchedulerCoreError
from scheduler_core.expectations import Outcome, holds
from scheduler_core.extenders import ExtenderError, ExtenderRequest, ExtenderTransport, all_extenders
from scheduler_core.preview import preview
from scheduler_core.simulation.run import Simulation, simulate
from scheduler_core.simulation.settings import RunLimits
from scheduler_core.trace.codec import encode_event
from scheduler_core.trace.events import Event
from scheduler_core.trace.narrate import narrate, sentence, tell
from scheduler_core.trace.replay import Replay
from scheduler_core.trace.second_act import REMEMBERED, SecondAct
from scheduler_core.version import ENGINE_VERSION, MODELS

__all__ = [
    "ENGINE_VERSION",
    "MODELS",
    "REMEMBERED",
    "EngineBugError",
    "Event",
    "ExtenderError",
    "ExtenderRequest",
    "ExtenderTransport",
    "InputLimits",
    "InvalidInputError",
    "Loaded",
    "Operation",
    "Outcome",
    "Problem",
    "Replay",
    "RunLimits",
    "Scenario",
    "SchedulerCoreError",
    "SecondAct",
    "Simulation",
    "all_extenders",
    "canonical_json",
    "encode_event",
    "holds",
    "load",
    "narrate",
    "preview",
    "scenario_from_document",
    "sentence",
    "simulate",
    "tell",
    "with_missing_nodes",
]
