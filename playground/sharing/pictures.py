"""Posters as PNG pictures of 1200 by 630 pixels, drawn with Pillow: what a link shows in a chat.

The one rule: state is a sign, a word and a colour together; text is ink on paper, never a role's colour.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from playground import wording
from playground.sharing.posters import Card, Pod, Poster

WIDTH: Final = 1200
HEIGHT: Final = 630
_FONTS: Final = Path(__file__).resolve().parent.parent / "fonts"
_INK, _QUIET, _PAPER, _GROUND, _LINE, _SOFT = "#111820", "#4d5866", "#ffffff", "#f4f6f8", "#d5dbe2", "#e6eaef"
_ROLES: Final = {
    "preemptor": "#0468a9",
    "victim": "#9c4f25",
    "reprieved": "#07ab5f",
    "nominated": "#da7614",
    "bench": "#7a8494",
    "": "#c3cad3",
}
_WASH: Final = {
    "preemptor": "#e3f0f9",
    "victim": "#f8ece5",
    "reprieved": "#e3f6ec",
    "nominated": "#fcefe1",
    "bench": "#eef1f4",
    "": "#ffffff",
}
_EDGE: Final = 56
_GAP: Final = 20
_ROW: Final = 40
_CARDS_TOP: Final = 256


@cache
def _font(size: int, weight: str = "Regular") -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_FONTS / f"NotoSansCJKsc-{weight}.subset.otf"), size)


def png(poster: Poster, *, lang: str) -> bytes:
    """The picture as PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), _GROUND)
    pen = ImageDraw.Draw(image)
    _draw_head(pen, poster)
    _draw_cards(pen, poster, lang)
    _draw_foot(pen, poster)
    target = io.BytesIO()
    image.save(target, "PNG", compress_level=6)
    return target.getvalue()


def _draw_head(pen: ImageDraw.ImageDraw, poster: Poster) -> None:
    pen.rectangle((0, 0, WIDTH, 10), fill=_ROLES["preemptor"])
    title = _cut(pen, poster.title, _font(26, "Bold"), 640)
    pen.text((_EDGE, 38), title, font=_font(26, "Bold"), fill=_INK)
    kicker = _cut(pen, poster.kicker, _font(24), 420)
    pen.text((WIDTH - _EDGE, 40), kicker, font=_font(24), fill=_QUIET, anchor="ra")
    for size, most in ((40, 2), (32, 2), (26, 3)):
        lines = _wrapped(pen, poster.sentence, _font(size, "Regular"), WIDTH - 2 * _EDGE)
        if len(lines) <= most:
            break
    lines = lines[:3]
    for index, line in enumerate(lines):
        pen.text((_EDGE, 84 + index * int(size * 1.3)), line, font=_font(size), fill=_INK)
    if poster.subject:
        pen.text((_EDGE, 208), _cut(pen, poster.subject, _font(24), WIDTH - 2 * _EDGE), font=_font(24), fill=_QUIET)


def _draw_cards(pen: ImageDraw.ImageDraw, poster: Poster, lang: str) -> None:
    cards = poster.cards
    if not cards:
        return
    width = min(560, (WIDTH - 2 * _EDGE - _GAP * (len(cards) - 1)) // len(cards))
    bottom = 528 if poster.because else 574
    for index, card in enumerate(cards):
        left = _EDGE + index * (width + _GAP)
        _draw_card(pen, card, (left, _CARDS_TOP, left + width, bottom), lang)
    if poster.more_nodes:
        text = wording.say("sharing.more_nodes", {"count": poster.more_nodes}, lang=lang)
        pen.text((WIDTH - _EDGE, 612), text, font=_font(18), fill=_QUIET, anchor="rs")


def _draw_card(pen: ImageDraw.ImageDraw, card: Card, box: tuple[int, int, int, int], lang: str) -> None:
    left, top, right, bottom = box
    edge = {"wins": (_ROLES["preemptor"], 5), "out": (_LINE, 2)}.get(card.verdict, (_LINE, 2))
    pen.rounded_rectangle(box, radius=12, fill=_PAPER, outline=edge[0], width=edge[1])
    inner, room = left + 16, right - left - 32
    name = _font(22, "Bold")
    pen.text((inner, top + 12), _cut(pen, card.node, name, room), font=name, fill=_INK)
    if card.badge:
        _draw_badge(pen, card, (inner, top + 44), room)
    _draw_bar(pen, card, (inner, top + 80, right - 16, top + 92))
    most = max(0, (bottom - top - 106) // _ROW)
    shown = card.pods if len(card.pods) + bool(card.more) <= most else card.pods[: most - 1]
    for index, pod in enumerate(shown):
        _draw_pod(pen, pod, (inner, top + 102 + index * _ROW, right - 16, top + 102 + index * _ROW + _ROW - 6))
    hidden = card.more + len(card.pods) - len(shown)
    if hidden:
        pen.text(
            (inner, top + 106 + len(shown) * _ROW), wording.say("list.more", {"count": hidden}, lang=lang), font=_font(18), fill=_QUIET
        )


def _draw_badge(pen: ImageDraw.ImageDraw, card: Card, at: tuple[int, int], room: int) -> None:
    sign = {"wins": "● ", "out": "× "}.get(card.verdict, "")
    font = _font(19, "Bold" if card.verdict == "wins" else "Regular")
    pen.text(at, _cut(pen, sign + card.badge, font, room), font=font, fill=_INK if card.verdict == "wins" else _QUIET)


def _draw_bar(pen: ImageDraw.ImageDraw, card: Card, box: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = box
    pen.rounded_rectangle(box, radius=5, fill=_SOFT)
    share = min(1.0, card.cpu_used / card.cpu_all) if card.cpu_all else 0.0
    if share:
        pen.rounded_rectangle((left, top, left + max(8, int((right - left) * share)), bottom), radius=5, fill=_ROLES["bench"])


def _draw_pod(pen: ImageDraw.ImageDraw, pod: Pod, box: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = box
    pen.rounded_rectangle(box, radius=6, fill=_WASH[pod.role], outline=_ROLES[pod.role], width=2 if pod.role else 1)
    pen.rectangle((left, top + 4, left + 6, bottom - 4), fill=_ROLES[pod.role])
    font, small = _font(18), _font(16)
    middle = (top + bottom) // 2
    right_text = f"{pod.priority}" if right - left < 300 or not pod.note else f"{pod.priority}  {pod.note}"
    pen.text((right - 10, middle), right_text, font=small, fill=_QUIET, anchor="rm")
    room = right - left - 30 - int(pen.textlength(right_text, small))
    name = f"{pod.mark} {pod.name.split('/', 1)[-1]}".strip()
    pen.text((left + 14, middle), _cut(pen, name, font, room), font=font, fill=_INK, anchor="lm")


def _draw_foot(pen: ImageDraw.ImageDraw, poster: Poster) -> None:
    pen.text((_EDGE, 612), "Preemption Playground", font=_font(18), fill=_QUIET, anchor="ls")
    if poster.because:
        for size in (28, 24, 21):
            font = _font(size, "Bold")
            if pen.textlength(poster.because, font) <= WIDTH - 2 * _EDGE:
                break
        pen.text((_EDGE, 560), _cut(pen, poster.because, font, WIDTH - 2 * _EDGE), font=font, fill=_INK, anchor="lm")


# -- text that fits ---------------------------------------------------------------------------------------------------
def _cut(pen: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, room: float) -> str:
    """The text, or as much of its beginning as fits before an ellipsis."""
    text = " ".join(text.split())[:400]
    if pen.textlength(text, font) <= room:
        return text
    while text and pen.textlength(text + "…", font) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def _wrapped(pen: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, room: float) -> list[str]:
    lines = [""]
    for word in _words(text):
        joined = f"{lines[-1]}{word}"
        if lines[-1] and pen.textlength(joined.rstrip(), font) > room:
            lines.append(word.lstrip())
        else:
            lines[-1] = joined
    return [_cut(pen, line.rstrip(), font, room) for line in lines]


def _words(text: str) -> list[str]:
    """Where a line may break: after spaces, and between Chinese characters (but not before punctuation)."""
    words: list[str] = []
    for sign in " ".join(text.split())[:600]:
        wide = ord(sign) >= 0x2E80 and sign not in "，。、；：！？）】》”’"
        after_wide = bool(words) and len(words[-1]) > 0 and ord(words[-1][-1]) >= 0x2E80 and sign not in "，。、；：！？）】》”’"
        if not words or wide or after_wide or words[-1].endswith(" "):
            words.append(sign)
        else:
            words[-1] += sign
    return words
