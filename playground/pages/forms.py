"""What people send from the pages: manifests in a text box, or in a file.

The one rule: bytes go to the engine as they came; the form only finds out where they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Paste:
    """``source`` is UTF-8 as sent; ``text`` is what the box shows again; ``runs`` is false when only saving was asked for."""

    source: bytes
    text: str
    runs: bool
    make_missing_nodes: bool
    parent: str


def read_paste(request: HttpRequest) -> Paste:
    """A chosen file wins over the text box. Line ends become those that people see, so that line numbers agree."""
    upload = request.FILES.get("file")
    text = str(request.POST.get("manifests", "")).replace("\r\n", "\n")
    source = upload.read() if upload is not None else text.encode("utf-8", "surrogatepass")
    if upload is not None:
        text = source.decode("utf-8", "replace")
    return Paste(
        source=source,
        text=text,
        runs=request.POST.get("do", "run") != "save",
        make_missing_nodes="make_missing_nodes" in request.POST,
        parent=str(request.POST.get("parent", "")),
    )
