"""Event documents as bytes: one line of compact JSON each.

The one rule: equal events are equal bytes, on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder()


def encode_event(document: Mapping[str, Any]) -> bytes:
    """An event document as a line of UTF-8 JSON, without the line's end."""
    return _encoder.encode(document)
