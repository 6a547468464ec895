// Analysis and proofs: the list of candidates, and a line that is played through on the board.

import { t, word } from "./texts.js";
import { byId, colorText, make, pointText, put, refill } from "./view.js";

const SHOWN_MOVES = 10; // of a line in the list

export function scoreText({ score, win_in: winIn }) {
  if (winIn !== null) return t(winIn > 0 ? "wins" : "loses", { count: Math.abs(winIn) });
  return score > 0 ? `+${score}` : String(score);
}

// Short enough for a mark on the board.
function markText({ score, win_in: winIn }) {
  if (winIn !== null) return t(winIn > 0 ? "markWin" : "markLoss");
  return Math.abs(score) < 1000 ? String(score) : `${(score / 1000).toFixed(1)}k`;
}

export function marks(result) {
  return (result ? result.candidates : []).map((candidate, i) => ({
    point: candidate.move,
    text: markText(candidate),
    rank: i + 1,
  }));
}

// The list of candidates; `hint(moves or null)` shows a line for a moment, `pin(moves)` keeps it.
// Rows stay and change their words: a button that is replaced under a finger loses the click.
export function showCandidates(result, turn, hint, pin) {
  const list = byId("candidates");
  const candidates = result ? result.candidates : [];
  while (list.children.length > candidates.length) list.lastElementChild.remove();
  while (list.children.length < candidates.length) list.append(candidateRow(list.children.length + 1));
  candidates.forEach((candidate, i) => {
    const moves = candidate.pv.length ? candidate.pv : [candidate.move];
    const button = list.children[i].firstElementChild;
    const [, move, score, rest] = button.children;
    move.textContent = pointText(candidate.move);
    score.textContent = scoreText(candidate);
    const shown = moves.slice(1, SHOWN_MOVES).map(pointText).join(" ");
    rest.textContent = shown + (moves.length > SHOWN_MOVES ? " …" : "");
    button.onmouseenter = button.onfocus = () => hint(moves);
    button.onmouseleave = button.onblur = () => hint(null);
    button.onclick = () => pin(moves);
    if (button.matches(":hover, :focus")) hint(moves);
  });
  put("pov", candidates.length ? t("pov", { who: colorText(turn) }) : "");
  const nodes = result && result.nodes ? result.nodes.toLocaleString() : "";
  byId("depth").textContent = candidates.length ? t("depth", { depth: result.depth, nodes }) : "";
}

function candidateRow(rank) {
  const words = ["strong", "span", "span"].map((tag) => make(tag));
  words[1].className = "score";
  words[2].className = "rest";
  return make("li", {}, make("button", { type: "button" }, make("b", { textContent: rank }), ...words));
}

// What a solver found; `turn` is the side to move: a win of the other one is only threatened.
export function verdictText(proof, turn) {
  const values = { who: colorText(proof.color), kind: t(proof.kind), count: proof.depth };
  if (proof.status === "proved") {
    if (!proof.verified) return t("notVerified", { ...values, reason: proof.problem });
    return proof.color === turn ? t("proved", values) : t("provedThreat", values);
  }
  if (proof.status === "refuted") return t(proof.exhausted ? "refuted" : "refutedDepth", values);
  return t("unknown", { ...values, limit: word(`limit-${proof.limit_hit}`) });
}

// A line on the board: {moves, color, at, proof or null}.
export function showLine(line, turn, goTo, choose) {
  byId("line").hidden = !line;
  if (!line) return;
  const buttons = line.moves.map((move, i) => {
    const isBlack = (line.color === "black") === (i % 2 === 0);
    const button = make("button", { type: "button", className: `move ${isBlack ? "black" : "white"}` });
    button.append(make("b", { textContent: i + 1 }), ` ${pointText(move)}`);
    if (i + 1 === line.at) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => goTo(i + 1));
    return button;
  });
  refill(byId("line-moves"), buttons);
  byId("line-back").disabled = line.at === 0;
  byId("line-on").disabled = line.at === line.moves.length;
  byId("line-play").disabled = line.color !== turn || line.moves.includes("pass") || line.at === 0;
  showBranches(line, choose);
}

function showBranches(line, choose) {
  const branches = line.proof ? line.proof.lines : [];
  const details = byId("branches");
  details.hidden = branches.length < 2;
  if (details.hidden) return;
  const count = branches.length - 1;
  byId("branches-count").textContent = t(line.proof.more ? "branchesMore" : "branches", { count });
  const rows = branches.map((branch, i) => {
    const text = i ? branchText(branch) : branch.moves.map(pointText).join(" ");
    const button = make("button", { type: "button", textContent: text });
    if (i === line.branch) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => choose(i));
    return make("li", {}, button);
  });
  refill(byId("branch-list"), rows);
}

function branchText(branch) {
  const own = branch.moves.slice(branch.from);
  const reply = own[0] === "pass" ? t("branchThreat") : t("branch", { moves: `${branch.from + 1} ${own[0]}` });
  return `${reply}: ${own.slice(1).map(pointText).join(" ")}`;
}
