// The review of the line one is on: what each move was worth, and where the game turned. It is kept with the game.

import { share } from "./analysis.js";
import { t, word } from "./texts.js";
import { byId, pointText, put } from "./view.js";

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
  if (told) {
    review.rows = [];
    for (const row of told.moves) add(game, review, row);
    const { accuracy, turning_point: turningPoint, interrupted } = told;
    Object.assign(review, { accuracy, turningPoint, isDone: true, interrupted });
  }
  page.space.storeSoon(page.space.start);
  if (page.game !== game) return;
  page.show();
  page.analyse();
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

// The next weak move on the line of the review, from the beginning again after the last.
export function nextMistake(page) {
  const { game } = page;
  const { moves, rows } = game.review;
  const here = game.tree.moves();
  const count = here.every((move, i) => move === moves[i]) ? here.length : 0;
  const isBad = (row) => row && row.graded && (row.missed || row.allowed || ["mistake", "blunder"].includes(row.quality));
  const places = rows.map((row, i) => (isBad(row) ? i + 1 : 0)).filter(Boolean);
  const next = places.find((place) => place > count) || places[0];
  if (next) page.goTo(game.tree.find(moves.slice(0, next)));
}

// The line that was better than the move on the board, in the position before it.
export function showBetter(page) {
  const row = rowHere(page.game);
  page.goTo(page.game.tree.find(page.game.review.moves.slice(0, row.number - 1)));
  page.setLine(row.pv, row.color, { name: t("better", { best: pointText(row.best) }) });
}

const percent = (part) => (part === null || part === undefined ? "–" : `${Math.round(100 * part)} %`);

// The whole of it, and what it says of the move on the board.
export function showReview(game, isRunning) {
  const { review } = game;
  const row = rowHere(game);
  byId("judgement").hidden = !row;
  const parts = [];
  if (review && isRunning) parts.push(t("reviewing", review));
  if (review && review.accuracy) {
    parts.push(t("accuracy", { black: percent(review.accuracy.black), white: percent(review.accuracy.white) }));
    if (review.turningPoint) parts.push(t("turningPoint", { number: review.turningPoint.number }));
  }
  put("review-summary", parts.join(" "));
  byId("mistake").hidden = !review || !review.rows.length;
  if (!row) return;
  byId("judgement").className = `judgement ${row.quality}`;
  const texts = [t("judged", { move: pointText(row.move), quality: t(`quality-${row.quality}`) })];
  for (const name of ["missed", "allowed"]) {
    if (row[name]) texts.push(t(name, { kind: word(`kind-${row[name].kind}`) }));
  }
  byId("judgement-text").textContent = texts.join(" ");
  byId("better").hidden = row.quality === "best" || !row.pv.length;
  byId("better").textContent = t("better", { best: pointText(row.best) });
}
