// The review of the line one is on: what each move was worth, and where the game turned. It is kept with the game.

import { share, valueText } from "./analysis.js";
import { showWin } from "./proofs.js";
import { t, word } from "./texts.js";
import { other } from "./tree.js";
import { byId, draw, make, pointText, put, refill, toast } from "./view.js";

const WEAK = ["inaccuracy", "mistake", "blunder"];

// Reviews the line; rows appear as they are judged.
export async function reviewGame(page) {
  const { game } = page;
  const line = game.tree.line();
  const moves = line.filter((node) => node.move).map((node) => node.move);
  const review = (game.review = { moves, rows: [], isDone: false, done: 0, total: 2 * moves.length + 1 });
  page.reviewing = review;
  page.show();
  const { headers, result } = game;
  const told = await page.run("review", { ...game.position(moves), headers, result }, (item) => {
    if (item.type !== "progress") return;
    Object.assign(review, { done: item.done, total: item.total });
    for (const row of item.moves) add(game, review, row);
    if (page.game === game) page.showReview();
  });
  page.reviewing = null;
  if (told) finish(game, review, told);
  page.space.storeSoon(page.space.start);
  if (page.game !== game) return;
  page.show();
  page.analyse();
}

// All that was told of a game that has been reviewed.
export function finish(game, review, told) {
  review.rows = [];
  for (const row of told.moves) add(game, review, row);
  const { accuracy, turning_point: turningPoint, interrupted } = told;
  Object.assign(review, { accuracy, turningPoint, isDone: true, interrupted });
}

// A row, and the values of the positions before and after the move.
function add(game, review, row) {
  review.rows[row.number - 1] = row;
  const inBlack = (rate) => (row.color === "black" ? share(rate) : 1 - share(rate));
  const sign = row.color === "black" ? 1 : -1;
  const before = game.tree.find(review.moves.slice(0, row.number - 1));
  const after = game.tree.find(review.moves.slice(0, row.number));
  const set = (node, rate, score, winIn) => {
    if (!node || (node.value && node.value.depth)) return; // analysis looked deeper
    node.value = { chance: inBlack(rate), score: sign * score, winIn: winIn === null ? null : sign * winIn, depth: 0 };
  };
  set(before, row.best_rate, row.best_score, row.win_in);
  set(after, row.played_rate, row.played_score, row.played_win_in);
}

// The qualities of weak moves by node.
export function signsOf(game) {
  const signs = new Map();
  let node = game.tree.root;
  const { moves = [], rows = [] } = game.review || {};
  for (let i = 0; i < moves.length && node; i += 1) {
    node = game.tree.child(node, moves[i]);
    const row = rows[i];
    if (node && row && row.graded && WEAK.includes(row.quality)) signs.set(node.id, row.quality);
  }
  return signs;
}

// The row of the node one is at, if the review is of its line.
function rowHere(game) {
  const { moves = [], rows = [] } = game.review || {};
  const path = game.tree.moves();
  return path.length && path.every((move, i) => move === moves[i]) ? rows[path.length - 1] : null;
}

// The next weak move on the line of the review, from the beginning again after the last; the one before with -1.
export function nextMistake(page, direction = 1) {
  const { game } = page;
  const { moves, rows } = game.review || { moves: [], rows: [] };
  const here = game.tree.moves();
  const count = here.every((move, i) => move === moves[i]) ? here.length : 0;
  const isBad = (row) => row && row.graded && (row.missed || row.allowed || ["mistake", "blunder"].includes(row.quality));
  const places = rows.map((row, i) => (isBad(row) ? i + 1 : 0)).filter(Boolean);
  const before = places.findLast((place) => place < count) || places.at(-1);
  const next = direction < 0 ? before : places.find((place) => place > count) || places[0];
  if (!next || next === count) toast(t(next ? "noOtherMistake" : "noMistake"));
  else page.goTo(game.tree.find(moves.slice(0, next)));
}

// The lines that belong to a judged move, each with the number of moves before it: forced wins that can be walked
// through, and the best line.
function linesOf(row) {
  const wins = [["missed", row.number - 1], ["unclear", row.number - 1], ["allowed", row.number]];
  const found = wins.filter(([name]) => row[name] && !(name === "unclear" && row.missed)).map(([name, base]) => {
    const { kind, line } = row[name];
    return { name, base, moves: line, win: row[name], text: t(`line-${name}`, { kind: word(`kind-${kind}`) }) };
  });
  if (row.quality !== "best" && row.pv.length) {
    const text = t("better", { best: pointText(row.best) });
    found.push({ name: "best", base: row.number - 1, moves: row.pv, text, score: bestText(row) });
  }
  return found;
}

const bestText = ({ best_score: score, win_in, best_rate: win_rate }) => valueText({ score, win_in, win_rate }, false);

const playedText = ({ played_score: score, played_win_in: win_in, played_rate: win_rate }) => {
  return valueText({ score, win_in, win_rate }, false);
};

// Shows one of these lines, in the position where it begins.
export function showLineOf(page, row, name) {
  const line = linesOf(row).find((one) => one.name === name);
  if (!line) return;
  const { game } = page;
  page.goTo(game.tree.find(game.review.moves.slice(0, line.base)));
  const color = name === "allowed" ? other(row.color) : row.color;
  if (line.win) showWin(page, line.win, color, line.text);
  else page.setLine(line.moves, color, { name: line.text });
}

const percent = (part) => (part === null || part === undefined ? "–" : `${Math.round(100 * part)} %`);

// The whole of it, and what it says of the move on the board.
export function showReview(page) {
  const { game } = page;
  const { review } = game;
  const row = rowHere(game);
  byId("judgement").hidden = !row;
  const parts = [];
  if (review && page.reviewing === review) parts.push(t("reviewing", review));
  if (review && review.accuracy) {
    parts.push(t("accuracy", { black: percent(review.accuracy.black), white: percent(review.accuracy.white) }));
    if (review.turningPoint) parts.push(t("turningPoint", { number: review.turningPoint.number }));
  }
  put("review-summary", parts.join(" "));
  if (!row) return;
  byId("judgement").className = `judgement ${row.graded ? row.quality : "opening"}`;
  byId("judgement-text").replaceChildren(...(row.graded ? [icon(row.quality)] : []), judgementText(row));
  const buttons = linesOf(row).map((line) => {
    const button = make("button", { type: "button", className: "line-button" });
    button.dataset.line = line.name;
    button.append(make("strong", { textContent: line.text }), make("span", { className: "score", textContent: line.score || "" }));
    button.append(make("span", { className: "rest", textContent: line.moves.map(pointText).join(" ") }));
    button.addEventListener("click", () => showLineOf(page, row, line.name));
    return button;
  });
  refill(byId("judgement-lines"), buttons);
}

// The sign of a quality, told apart by its shape; the shapes are in the page.
export function icon(quality) {
  return draw("svg", { class: `icon q-${quality}`, "aria-hidden": "true" }, draw("use", { href: `#q-${quality}` }));
}

function judgementText(row) {
  const quality = t(row.graded ? `quality-${row.quality}` : "openingMove");
  const texts = [t("judged", { move: pointText(row.move), value: playedText(row), quality })];
  if (row.foul) texts.push(t("foul", { kind: word(row.foul) }));
  for (const name of ["missed", "allowed"]) {
    if (row[name]) texts.push(t(name, { kind: word(`kind-${row[name].kind}`) }));
  }
  if (row.unclear && !row.missed) texts.push(t("unclear", { kind: word(`kind-${row.unclear.kind}`) }));
  if (row.defence) texts.push(t("missedDefence", { point: row.defence.point, name: word(`defence-${row.defence.name}`) }));
  return texts.join(" ");
}
