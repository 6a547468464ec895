"""Why a point is forbidden, and why an opening rule refuses a step, in Japanese; the English texts are those
of `renju.explain` and `renju.openings`."""

from __future__ import annotations

from renju._types import Forbidden
from renju.explain import Explanation, Extension, LineShape
from renju.openings import Action, Option, RuleGame, check_fifths

__all__ = ["explanation_text", "refusal_text"]

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


def refusal_text(game: RuleGame, action: Action) -> str:
    """Why the rule of an opening does not allow an action.

    >>> from renju import openings
    >>> game = openings.start("RIF").place("h8")
    >>> print(refusal_text(game, openings.Action.parse("a1")))
    2手目は中央の3×3の中に打ちます
    >>> print(refusal_text(game, openings.Action.parse("swap")))
    今はできません：swap
    """
    option = next((option for option in game.options if option.kind == action.kind), None)
    if option is None:
        return f"今はできません：{action}"
    match action.kind:
        case "place":
            return _stone_refusal(game, option, action)
        case "declare":
            return f"提示できる五手目の数は{option.low}から{option.high}までです（{action.count}は不可）"
        case "offer":
            return _offer_refusal(game, option, action)
    return f"{action.points[0]}は提示されていません"  # a choice: swaps and colours are never refused


def _stone_refusal(game: RuleGame, option: Option, action: Action) -> str:
    (point,) = action.points
    if point in game.moves:
        return f"{point}には石があります"
    side = 2 * (option.reach or 0) + 1
    return f"{len(game.moves) + 1}手目は" + (
        "天元に打ちます" if side == 1 else f"中央の{side}×{side}の中に打ちます"
    )


def _offer_refusal(game: RuleGame, option: Option, action: Action) -> str:
    found = check_fifths(game.board, action.points)
    count = len(action.points)
    parts = [f"五手目を{option.low}か所提示します（今は{count}か所）"] if count != option.low else []
    parts += [f"{point}には石があります" for point in found.occupied]
    parts += [f"{point}が重複しています" for point in found.repeated]
    parts += [f"{point}は黒の禁点です" for point in found.forbidden]
    parts += [f"{'と'.join(map(str, group))}は対称で同じ手です" for group in found.equivalent]
    return "；".join(parts)
