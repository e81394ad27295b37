"""Which ES modules a page needs: the one it names, and all that those import.

The one rule: there is no build step, so the browser is told at once what it would find out import by import.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

_IMPORT: Final = re.compile(r'^(?:import|export)\b[^;"\']*?\bfrom\s*["\'](\.[^"\']+)["\']', re.MULTILINE)


@cache
def needed_by(entry: str) -> tuple[str, ...]:
    """Paths under static/ of every module that ``entry`` imports, directly or not, in the order found; without ``entry`` itself."""
    root = Path(settings.BASE_DIR) / "static"
    found: dict[str, None] = {entry: None}
    queue = [entry]
    while queue:
        importer = queue.pop(0)
        for target in _IMPORT.findall((root / importer).read_text(encoding="utf-8")):
            path = (root / importer).parent.joinpath(target).resolve().relative_to(root.resolve()).as_posix()
            if path not in found:
                found[path] = None
                queue.append(path)
    return tuple(path for path in found if path != entry)
