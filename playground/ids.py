"""Names for links: lower-case base32 without look-alikes, and no rude words.

The one rule: the same content gets the same id, as short as it can be; a run's id is random.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterator
from typing import Final

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o (1, 1, 0) and no u, which halves the rude words
SHORTEST: Final = 10
RUN_LENGTH: Final = 14
_ID: Final = re.compile(rf"[{ALPHABET}]{{{SHORTEST},64}}")
# Spelled as the alphabet can spell them; digits that look like letters are turned into letters first.
_RUDE: Final = re.compile(
    "ass|arse|anal|anvs|ars3|bast|bitch|boob|bum|c0ck|cock|coon|crap|cnt|cvnt|damn|dck|dick|dyke|fag|fanny|fart|fck|fvck|gay|hell|hoe|homo|jap|jerk"
    "|jew|kkk|knob|kvnt|nazi|ngr|nigg|nggr|paki|perv|pee|phvck|piss|poo|porn|prick|pvss|queer|rape|scat|screw|sex|shag|shit|sht|slag|slvt|smvt|spaz"
    "|spic|ssa|svck|tard|tit|twat|vag|wank|weed|wog|xxx"
)
_LOOKS_LIKE: Final = str.maketrans("01345789", "oieasrbg")
_LOOKS_LIKE_TOO: Final = str.maketrans("01345789", "olzasjbp")


def is_id(text: str) -> bool:
    """Whether ``text`` has the form of an id. Asked before any look-up."""
    return _ID.fullmatch(text) is not None


def is_rude(text: str) -> bool:
    """Whether somebody might read a rude word in it, digits taken as the letters they look like."""
    return any(_RUDE.search(read) for read in (text, text.translate(_LOOKS_LIKE), text.translate(_LOOKS_LIKE_TOO)))


def digest(key: bytes, content: bytes) -> bytes:
    """32 bytes: what stands for the content and cannot be computed by others."""
    return hmac.digest(key, b"playground scenario\0" + content, "sha256")


def candidates(content_digest: bytes) -> Iterator[str]:
    """The ids this content may have, in the order they are tried: 10 characters, 11, and so on; rude ones are left out."""
    for salt in range(256):
        name = _base32(hmac.digest(content_digest, bytes([salt]), "sha256"))
        if is_rude(name[:SHORTEST]):
            continue
        for length in range(SHORTEST, len(name) + 1):
            if is_rude(name[:length]):
                break
            yield name[:length]


def random_id(length: int = RUN_LENGTH) -> str:
    """A new random id of ``length`` characters (5 bits each)."""
    while True:
        name = "".join(secrets.choice(ALPHABET) for _ in range(length))
        if not is_rude(name):
            return name


def _base32(data: bytes) -> str:
    value = int.from_bytes(data, "big")
    count = len(data) * 8 // 5
    value >>= len(data) * 8 - count * 5
    return "".join(ALPHABET[(value >> (5 * (count - 1 - index))) & 31] for index in range(count))
