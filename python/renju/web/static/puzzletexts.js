// What is said of a puzzle: the task, its themes, and why a move is not the solution.

import { refutationText } from "./proofs.js";
import { t, word } from "./texts.js";
import { other } from "./tree.js";
import { colorText } from "./view.js";

const AREA = 5; // points of a side of the area that a hint shows

export function taskText({ kind, turn, depth }) {
  return t(`task-${kind}`, { who: colorText(turn), count: depth });
}

export function themesText({ themes }) {
  const names = themes.map((theme) => word(`theme-${theme}`));
  return names.length ? t("themesAre", { names: names.join(t("comma")) }) : t("noTheme");
}

// The points of a square that holds the point, not always in the middle: the name of the puzzle decides.
export function areaAround(point, id, size) {
  const [column, row] = [point.charCodeAt(0) - 65, Number(point.slice(1)) - 1];
  const start = (at, digit) => Math.min(Math.max(at - (parseInt(digit, 16) % AREA), 0), size - AREA);
  const [left, bottom] = [start(column, id[0]), start(row, id[1])];
  const heat = {};
  for (let x = left; x < left + AREA; x += 1) {
    for (let y = bottom; y < bottom + AREA; y += 1) heat[`${String.fromCharCode(65 + x)}${y + 1}`] = 0.35;
  }
  return heat;
}

// Why a move is not the solution, with the moves that show it: {text, moves, arrows}.
export function verdictText(puzzle, point, { verdict, proof, over, kind }) {
  const who = colorText(puzzle.turn);
  const values = { point, who, kind: word(`kind-${kind}`) };
  if (over) return { text: t("endsTheGame", { ...values, why: word(`reason-${over}`) }), moves: [point] };
  if (puzzle.kind === "defence") return defenceText(puzzle, point, proof);
  if (verdict === "open") return { text: t("moveIsOpen", values), moves: [point] };
  const { refutation } = proof;
  if (!refutation || refutation.kind === "unknown") return { text: t("noWinStarts", values), moves: [point] };
  if (refutation.kind === "not-forcing") {
    return { text: t(`idle-${kind}`, { ...values, count: proof.threat_limit }), moves: [point] };
  }
  const { line, move } = refutation;
  const arrows = move && line[1] === move ? [{ from: line[0], to: move, kind: "defence" }] : [];
  return { text: `${t("noWinStarts", values)} ${refutationText(refutation)}`, moves: line, arrows };
}

// A move that does not defend: the win that the opponent has, as the solver found it or as the file tells it.
function defenceText(puzzle, point, proof) {
  const who = colorText(other(puzzle.turn));
  const found = proof.status === "proved" ? { kind: proof.kind, reply: proof.first, depth: proof.depth } : puzzle.losses[point];
  if (!found) return { text: t("defenceIsOpen", { point, who }), moves: [point] };
  const text = t("defenceLoses", { point, who, kind: word(`kind-${found.kind}`), reply: found.reply, count: found.depth });
  return { text, moves: [point, ...(proof.status === "proved" ? proof.line : [found.reply])] };
}
