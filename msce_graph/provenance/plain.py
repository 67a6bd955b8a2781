"""Text of logs made safe to look at: what would steer a terminal, reorder a line or hide is shown instead of obeyed."""

from __future__ import annotations

import re
import unicodedata

_SHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of controls, format characters (bidi, zero width, tags), surrogates and line separators."""
_NONCHARACTERS = frozenset(
    {*range(0xFDD0, 0xFDF0), *(plane | last for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF))}
)


def plain(text: str, *, one_line: bool = False) -> str:
    r"""Return the text with every character that is not plainly visible written as its escape: `\x1b`, `\u202e`.

    Newlines and tabs stay, or with `one_line` each run of white space becomes one space. What is left are characters
    that XML 1.0 allows. It removes no markup: whoever writes HTML, XML or DOT escapes that as well.
    """
    text = text.replace("\r\n", "\n")
    if one_line:
        text = re.sub(r"[ \t\n]+", " ", text).strip()
    return text if text.isprintable() else "".join(map(_visible, text))


def shortened(text: str, limit: int) -> str:
    """Return at most `limit` (1 or more) characters of the text, the last of them an ellipsis where any were cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _visible(character: str) -> str:
    if character in "\n\t":
        return character
    code = ord(character)
    if unicodedata.category(character) not in _SHOWN and code not in _NONCHARACTERS:
        return character
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
