// The review of the game: what each move was worth, and where the game turned.

import { t, word } from "./texts.js";
import { byId, pointText, put } from "./view.js";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

export async function reviewGame(page) {
  const { game } = page;
  const reviewing = game.moves.join(" ");
  page.review = null;
  page.reviewing = reviewing;
  put("review-summary", t("reviewing", { done: 0, total: 2 * game.moves.length + 1 }));
  byId("judgement").hidden = true;
  const review = await page.run("review", game.record(), (told) => {
    if (told.type === "progress") put("review-summary", t("reviewing", told));
  });
  if (page.reviewing !== reviewing) return;
  page.reviewing = null;
  page.review = review;
  page.show();
  page.analyse();
}

// The line that was better than the move on the board, in the position before it.
export async function showBetter(page) {
  const { number, color, pv } = page.review.moves[page.game.at - 1];
  await page.change(() => page.game.goTo(number - 1));
  page.setLine(pv, color);
}

// Does a review still belong to the game?
export function isReviewOf(review, game) {
  return Boolean(review) && review.moves.every((row, i) => row.move === game.moves[i]);
}

// A sign at every weak move of the list.
function markMoves(review) {
  const buttons = byId("moves").children;
  for (const row of review.moves) {
    if (!row.graded || !SIGNS[row.quality]) continue;
    const sign = document.createElement("em");
    sign.textContent = SIGNS[row.quality];
    sign.title = t(`quality-${row.quality}`);
    buttons[row.number].classList.add(row.quality);
    buttons[row.number].append(sign);
  }
}

const percent = (share) => (share === null ? "–" : `${Math.round(100 * share)} %`);

// The whole of it, and what it says of the move on the board.
export function showReview(review, game) {
  const row = review && review.moves[game.at - 1];
  byId("judgement").hidden = !row;
  const { black, white } = review ? review.accuracy : {};
  const parts = review ? [t("accuracy", { black: percent(black), white: percent(white) })] : [];
  if (review && review.turning_point) parts.push(t("turningPoint", { number: review.turning_point.number }));
  put("review-summary", parts.join(" "));
  if (!review) return;
  markMoves(review);
  if (!row) return;
  byId("judgement").className = `judgement ${row.quality}`;
  const quality = t(`quality-${row.quality}`);
  const texts = [t("judged", { move: pointText(row.move), quality })];
  for (const name of ["missed", "allowed"]) {
    if (row[name]) texts.push(t(name, { kind: word(`kind-${row[name].kind}`) }));
  }
  byId("judgement-text").textContent = texts.join(" ");
  byId("better").hidden = row.quality === "best";
  byId("better").textContent = t("better", { best: pointText(row.best) });
}
