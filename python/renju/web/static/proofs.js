// Forced wins: what a solver said, and its tree of defences to walk through.

import { settings, t, word } from "./texts.js";
import { other } from "./tree.js";
import { byId, colorText, make, pointText, put, refill } from "./view.js";

const SHOWN_MOVES = 9; // of a line in the tree

// Looks for a win; with `first` for one that starts there.
export async function solve(page, kind, color, first = null) {
  if (page.facts.outcome) return;
  page.attack = null;
  page.proof = page.line = page.why = null;
  put("verdict", t("solving", { kind: t(kind), who: colorText(color) }));
  const change = page.changes;
  const running = page.run("solve", { ...page.game.position(), kind, color, first, why: true });
  page.show();
  const proof = await running;
  if (change !== page.changes) return;
  page.proof = proof && { ...proof, first };
  showVerdict(page.proof, page.facts.turn);
  if (proof && proof.verified) chooseLine(page, page.proof, 0);
  else if (proof && proof.refutation && proof.refutation.line.length) showRefutation(page, proof);
  else page.show();
  await page.analyse();
}

// The defence that breaks the attack, on the board with an arrow to it.
function showRefutation(page, { refutation, color }) {
  const { line, move } = refutation;
  const arrows = move && line[1] === move ? [{ from: line[0], to: move, kind: "defence" }] : [];
  const note = refutationText(refutation);
  page.setLine(line, color, { note, arrows, at: Math.min(2, line.length) });
}

export function refutationText({ kind, move, counter, line, reason }) {
  const values = { move: move || "", attack: line[0] || "", counter: counter ? word(`counter-${counter}`) : "", reason };
  return t(`refutation-${kind}`, values);
}

// A win that a review has found and checked, to be walked through.
export function showWin(page, win, color, name) {
  const lines = win.lines || [{ from: 0, moves: win.line }];
  const facts = { status: "proved", verified: true, kind: win.proof || win.kind, depth: win.depth, line: win.line };
  page.proof = { ...facts, color, lines, more: Boolean(win.more) };
  showVerdict(page.proof, color);
  chooseLine(page, page.proof, 0);
  page.line.name = name;
  page.lineTo(1);
  byId("tab-proofs").click();
}

function chooseLine(page, proof, index) {
  const { moves } = proof.lines[index] || { moves: proof.line };
  page.setLine(moves, proof.color, { proof, branch: index, name: t("proofLine", { kind: word(proof.kind) }) });
}

export function showVerdict(proof, turn) {
  put("verdict", proof ? verdictText(proof, turn) : "");
  byId("verdict").className = `verdict ${proof ? proof.status : ""}`;
}

// What a solver found; `turn` is the side to move: a win of the other one is only threatened.
function verdictText(proof, turn) {
  const values = { who: colorText(proof.color), kind: word(proof.kind), count: proof.depth, point: proof.first };
  // What is said of one attack says nothing of the others.
  if (proof.first && proof.status === "refuted") return t(proof.exhausted ? "startRefuted" : "startRefutedDepth", values);
  if (proof.first && proof.status !== "proved") return t("startUnknown", { ...values, limit: word(`limit-${proof.limit_hit}`) });
  if (proof.status === "proved") {
    if (!proof.verified) return t("notVerified", { ...values, reason: proof.problem });
    return proof.color === turn ? t("proved", values) : t("provedThreat", values);
  }
  if (proof.status === "refuted") return t(proof.exhausted ? "refuted" : "refutedDepth", values);
  return t("unknown", { ...values, limit: word(`limit-${proof.limit_hit}`) });
}

// How deep each line of a proof stands in the tree: one more than the line that it leaves.
function depthsOf(lines) {
  const depths = [];
  lines.forEach(({ from, moves }, i) => {
    let depth = 0;
    for (let j = i - 1; j >= 0 && i; j -= 1) {
      const isAbove = lines[j].moves.length > from && moves.slice(0, from).every((move, k) => move === lines[j].moves[k]);
      if (isAbove && lines[j].from < from) {
        depth = depths[j] + 1;
        break;
      }
    }
    depths.push(i ? Math.max(depth, 1) : 0);
  });
  return depths;
}

// The tree of defences, a row for each line, indented below the line that it leaves.
export function showProof(page) {
  const { proof, line } = page;
  const lines = proof && proof.verified ? proof.lines : [];
  const list = byId("proof-tree");
  list.hidden = !lines.length;
  const isTrying = lines.length && line && line.proof === proof;
  put("why-fails", line && line.note ? line.note : isTrying ? t("tryDefence", { who: colorText(other(proof.color)) }) : "");
  if (!lines.length) return;
  const depths = depthsOf(lines);
  const rows = lines.map((branch, i) => {
    const button = make("button", { type: "button" });
    button.style.paddingLeft = `${10 + 16 * Math.min(depths[i], 8)}px`;
    const own = branch.moves.slice(branch.from);
    const head = i ? branchText(branch, own) : t("mainDefence");
    const rest = (i ? own.slice(1) : own).slice(0, SHOWN_MOVES).map(pointText).join(" ");
    const isCut = own.length > SHOWN_MOVES + 1;
    button.append(make("strong", { textContent: head }), make("span", { className: "soft", textContent: rest + (isCut ? " …" : "") }));
    if (line && line.proof === proof && i === line.branch) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => {
      chooseLine(page, proof, i);
      page.lineTo(i ? branch.from + 1 : branch.moves.length);
    });
    return make("li", {}, button);
  });
  if (proof.more) rows.push(make("li", { className: "soft", textContent: t("branchesMore", { count: lines.length }) }));
  refill(list, rows);
}

function branchText(branch, own) {
  return own[0] === "pass" ? t("branchThreat") : t("branch", { moves: `${branch.from + 1} ${own[0]}` });
}

// Is it the defender's turn in the proof that is shown?
export function isDefence(line) {
  return Boolean(line && line.proof && line.at % 2 === 1);
}

// A defence that a person tries: the line of the proof against it, or what the solver finds now.
export async function tryDefence(page, point) {
  const { line } = page;
  const { proof } = line;
  const before = line.moves.slice(0, line.at);
  const starts = (moves, wanted) => wanted.every((move, i) => moves[i] === move);
  const index = proof.lines.findIndex(({ moves }) => starts(moves, [...before, point]));
  if (index >= 0) {
    chooseLine(page, proof, index);
    page.lineTo(before.length + 1);
    return;
  }
  if (settings.report) {
    page.board.say(t("notInReport"));
    return;
  }
  const { change, moves } = { change: page.changes, moves: [...before, point] };
  const path = page.lineMoves({ ...line, moves });
  const kind = proof.kind;
  const found = await page.run("solve", { ...page.game.position(path), kind, color: proof.color });
  if (!found || change !== page.changes) return;
  const values = { point, kind: t(kind), who: colorText(proof.color) };
  const isWon = found.status === "proved" && found.verified;
  const note = isWon ? t("defenceFails", { ...values, count: found.depth }) : t("defenceOpen", values);
  const whole = isWon ? [...moves, ...found.line] : moves;
  page.setLine(whole, proof.color, { proof, branch: -1, note, name: t("proofLine", { kind: t(kind) }) });
  page.lineTo(before.length + 1);
}
