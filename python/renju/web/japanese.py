"""Why a point is forbidden, in Japanese; the English text is that of `renju.explain`."""

from __future__ import annotations

from renju._types import Forbidden
from renju.explain import Explanation, Extension, LineShape

__all__ = ["explanation_text"]

FOUL_NAMES = {Forbidden.DOUBLE_THREE: "三三", Forbidden.DOUBLE_FOUR: "四四", Forbidden.OVERLINE: "長連"}
DIRECTIONS = {
    "row": "横",
    "column": "縦",
    "rising diagonal": "斜め（右上がり）",
    "falling diagonal": "斜め（右下がり）",
}
SHAPES = {
    "five": "五連",
    "overline": "長連",
    "straight four": "達四",
    "four": "四",
    "two fours": "二つの四",
    "three": "三",
}
NO_REAL_THREE = "ウソの三"


def explanation_text(explanation: Explanation) -> str:
    """All lines of it, what is inside of another indented.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h9 h10", "", turn=renju.BLACK)
    >>> print(explanation_text(board.explain_forbidden("h8")))
    H8は禁点です：三三
      横：三 F8 G8 H8（E8で達四、I8で達四）
      縦：三 H8 H9 H10（H7で達四、H11で達四）
    """
    return "\n".join(_texts(explanation, ""))


def _texts(explanation: Explanation, indent: str) -> list[str]:
    if explanation.makes_five:
        verdict = "は禁点ではありません：五連になります"
    elif explanation.kind:
        verdict = f"は禁点です：{FOUL_NAMES[explanation.kind]}"
    else:
        verdict = "は禁点ではありません"
    texts = [f"{indent}{explanation.point}{verdict}"]
    for line in explanation.lines:
        texts.append(f"{indent}  {_line(line)}")
        for extension in line.extensions:
            if extension.forbidden is not None:
                texts += _texts(extension.forbidden, indent + "    ")
    return texts


def _line(line: LineShape) -> str:
    shape = SHAPES[line.shape] if line.is_real else NO_REAL_THREE
    text = f"{DIRECTIONS[line.direction]}：{shape} {' '.join(map(str, line.stones))}"
    if line.completions:
        text += f"（{'か'.join(map(str, line.completions))}で五連）"
    if line.extensions:
        text += f"（{'、'.join(map(_extension, line.extensions))}）"
    return text


def _extension(extension: Extension) -> str:
    if extension.makes_five:
        return f"{extension.point}は五連になる"
    if extension.forbidden is not None:
        return f"{extension.point}は{FOUL_NAMES[extension.forbidden.kind]}の禁点"
    return f"{extension.point}で達四"
