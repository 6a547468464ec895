// What api.js asks of the server, answered from the file of a review: the rules of all positions that can be reached
// there, and the candidates that the review has looked at.

import { settings } from "./texts.js";
import { other } from "./tree.js";

const { report } = settings;
const main = report.moves.map((row) => row.move);

export const tab = "";

export class ApiError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const refuse = (name) => new ApiError("offline", name);

// Positions are told by where they leave the game, and the moves from there: "12:H8 I9".
function keyOf(moves) {
  let count = 0;
  while (count < moves.length && moves[count] === main[count]) count += 1;
  return `${count}:${moves.slice(count).join(" ")}`;
}

// A key that is not in the table is a position without forbidden points that is not the end.
const answers = {
  position({ moves }) {
    const key = keyOf(moves);
    if (report.problems[key]) throw new ApiError("illegal-move", report.problems[key]);
    const first = report.game.setup ? report.game.setup.turn : "black";
    const isOpening = report.opening && moves.length >= 3 && moves.slice(0, 3).every((move, i) => move === main[i]);
    return {
      turn: moves.length % 2 ? other(first) : first,
      forbidden: report.forbidden[key] || {},
      outcome: report.outcomes[key] || null,
      opening: isOpening ? report.opening : null,
    };
  },
  explain({ moves, point }) {
    const why = report.explanations[`${keyOf(moves)} ${point}`];
    if (!why) throw refuse("explain");
    return why;
  },
  analyse({ moves }) {
    const isGame = moves.every((move, i) => move === main[i]);
    const row = isGame && report.moves[moves.length];
    if (!row) return { type: "result", candidates: [], depth: 0, win_rate: null };
    const { candidates, depth, nodes } = row;
    return { type: "result", candidates, depth, nodes, time: 0 };
  },
};

export async function ask(name, data) {
  if (!answers[name]) throw refuse(name);
  return answers[name](data);
}

export async function search(name, data, signal, tell = () => {}) {
  const told = await ask(name, data);
  if (!signal.aborted) tell(told);
  return told;
}

export async function load() {
  throw refuse("load");
}

export async function save() {
  throw refuse("save");
}
