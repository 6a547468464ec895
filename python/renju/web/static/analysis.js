// The engine's view of the position: candidates, the evaluation bar, a line that is stepped through.

import { t } from "./texts.js";
import { byId, colorText, make, pointText, refill } from "./view.js";

const SHOWN_MOVES = 10; // of a line in the list

const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `−${-score}` : "0");

export const share = ([win, draw]) => win + draw / 2;

export const percent = (value) => `${Math.round(100 * Math.min(0.99, Math.max(0.01, value)))} %`;

// What a move is worth to the side that makes it: a sure end in words, else its chances; with `points` the score.
export function valueText({ score, win_in: winIn, win_rate: rate }, points) {
  if (winIn !== null) return t(winIn > 0 ? "wins" : "loses", { count: Math.abs(winIn) });
  return points || !rate ? signed(score) : percent(share(rate));
}

// Short enough for a mark on the board.
function markText({ score, win_in: winIn, win_rate: rate }, points) {
  if (winIn !== null) return t(winIn > 0 ? "markWin" : "markLoss");
  if (!points && rate) return String(Math.round(100 * Math.min(0.99, Math.max(0.01, share(rate)))));
  return Math.abs(score) < 1000 ? String(score) : `${(score / 1000).toFixed(1)}k`;
}

export function marks(result, points) {
  return (result ? result.candidates : []).map((candidate, i) => ({
    point: candidate.move,
    text: markText(candidate, points),
    rank: i + 1,
  }));
}

// The value of a position in black's view, to be kept with its node.
export function valueOf(result, turn) {
  const [best] = result.candidates;
  const { win_in: winIn, win_rate: rate, score } = best || result;
  if (!rate) return null;
  const sign = turn === "black" ? 1 : -1;
  const chance = sign > 0 ? share(rate) : 1 - share(rate);
  return { chance, score: sign * score, winIn: winIn === null ? null : sign * winIn, depth: result.depth || 0 };
}

export function outcomeValue({ winner }) {
  const chance = winner === "black" ? 1 : winner ? 0 : 0.5;
  return { chance, score: 0, winIn: null, isOver: true, depth: 0 };
}

// In words, for a player: who is how likely to win.
export function rateText(value, points) {
  if (!value) return "";
  const isBlack = value.chance >= 0.5;
  const who = colorText(isBlack ? "black" : "white");
  if (value.isOver) return "";
  if (value.winIn !== null && value.winIn !== undefined) return t("sideWins", { who, count: Math.abs(value.winIn) });
  if (points) return t("sidePoints", { who: colorText("black"), score: signed(value.score) });
  return t("sideRate", { who, rate: percent(isBlack ? value.chance : 1 - value.chance) });
}

export function showBar(value, points) {
  const bar = byId("bar");
  const chance = value ? value.chance : 0.5;
  const isFlat = window.matchMedia("(max-width: 560px)").matches;
  byId("bar-black").style.transform = `scale${isFlat ? "X" : "Y"}(${chance.toFixed(3)})`;
  bar.classList.toggle("unknown", !value);
  bar.classList.toggle("white", chance < 0.5);
  byId("bar-text").textContent = value ? Math.round(100 * Math.max(chance, 1 - chance)) : "";
  const text = value ? rateText(value, points) : t("noValue");
  bar.setAttribute("aria-label", text || t("noValue"));
  bar.title = text;
  byId("rate").textContent = rateText(value, points);
  byId("rate").title = value && !value.isOver ? t("sidePoints", { who: colorText("black"), score: signed(value.score) }) : "";
}

function speedText({ nodes, time }) {
  const speed = time > 0.05 ? nodes / time : 0;
  return speed >= 1e6 ? `${(speed / 1e6).toFixed(1)} M/s` : speed ? `${Math.round(speed / 1000)} k/s` : "";
}

// The list of candidates; `hint(moves or null)` shows a line for a moment, `pin(moves)` keeps it.
// Rows stay and change their words: a button that is replaced under a finger loses the click.
export function showCandidates(result, { points, room, hint, pin }) {
  const list = byId("candidates");
  const candidates = result ? result.candidates : [];
  list.style.minHeight = `${36 * room}px`; // what comes moves nothing
  while (list.children.length > candidates.length) list.lastElementChild.remove();
  while (list.children.length < candidates.length) list.append(candidateRow(list.children.length + 1));
  candidates.forEach((candidate, i) => {
    const moves = candidate.pv.length ? candidate.pv : [candidate.move];
    const button = list.children[i].firstElementChild;
    const [, move, score, rest] = button.children;
    move.textContent = pointText(candidate.move);
    score.textContent = valueText(candidate, points);
    score.title = candidate.win_in === null ? signed(candidate.score) : "";
    const shown = moves.slice(1, SHOWN_MOVES).map(pointText).join(" ");
    rest.textContent = shown + (moves.length > SHOWN_MOVES ? " …" : "");
    button.onmouseenter = button.onfocus = () => hint(moves);
    button.onmouseleave = button.onblur = () => hint(null);
    button.onclick = () => pin(moves);
    if (button.matches(":hover, :focus")) hint(moves);
  });
  const has = candidates.length && result.depth;
  byId("depth").textContent = has ? t("depth", { depth: result.depth, speed: speedText(result) }).trim() : "";
}

function candidateRow(rank) {
  const words = ["strong", "span", "span"].map((tag) => make(tag));
  words[1].className = "score";
  words[2].className = "rest";
  return make("li", {}, make("button", { type: "button" }, make("b", { textContent: rank }), ...words));
}

// A line on the board: {moves, color, at, name, proof or null}.
export function showLine(line, turn, goTo) {
  byId("line").hidden = !line;
  if (!line) return;
  byId("line-name").textContent = line.name || t("line");
  const buttons = line.moves.map((move, i) => {
    const isBlack = (line.color === "black") === (i % 2 === 0);
    const button = make("button", { type: "button", className: `move ${isBlack ? "black" : "white"}` });
    button.append(make("b", { textContent: i + 1 }), ` ${pointText(move)}`);
    if (i + 1 === line.at) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => goTo(i + 1));
    return button;
  });
  refill(byId("line-moves"), buttons);
  const current = buttons[line.at - 1];
  if (current) byId("line-moves").scrollTop = current.offsetTop - byId("line-moves").offsetTop - 40;
  byId("line-back").disabled = line.at === 0;
  byId("line-on").disabled = line.at === line.moves.length;
  const keep = byId("line-play"); // a page without a tree of its own has no such button
  if (keep) keep.disabled = line.color !== turn || line.moves.includes("pass") || line.at === 0;
}

// Goes to a place of the line that a page shows, and asks what is true there.
export async function walkTo(page, at) {
  const { line } = page;
  if (line) {
    line.at = Math.min(Math.max(at, 0), line.moves.length);
    line.facts = null;
  }
  page.show();
  if (!line) return;
  const shown = line.at;
  const moves = page.lineMoves({ ...line, moves: line.moves.slice(0, shown) });
  // Forbidden points are those of the position that is shown; where a line cannot be played there are none.
  const facts = await page.factsOf(moves).catch(() => null);
  if (page.line !== line || line.at !== shown) return;
  line.facts = facts;
  page.showBoard();
}
