"""From what a person hands in to what an API server would have stored.

The one rule: admission runs once, when a person's text is loaded; the engine reads what was stored exactly as written.
"""

from scheduler_core.admission.chain import admit
from scheduler_core.admission.load import DEFAULT_LIMITS, InputLimits, Loaded, load

__all__ = ["DEFAULT_LIMITS", "InputLimits", "Loaded", "admit", "load"]
