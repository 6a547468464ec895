// Advice at the table of Twin Cool: what every move promises, with a bar.

import { t } from "./texts.js";
import { byId, make, put, refill } from "./view.js";

const LEAST_BAR = 6; // percent of the worst move

// "C7 1" in words.
export function moveText(move) {
  const [card, pile] = move.split(" ");
  return t("cardOn", { card, pile });
}

// `found` is the last that a search told; `play` plays a move.
export function showAdvice(found, isRunning, play) {
  const moves = found ? found.moves : [];
  const scores = moves.filter(({ score }) => score !== null).map(({ score }) => score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  const all = moves.reduce((sum, { visits }) => sum + visits, 0);
  refill(byId("advised"), moves.map((row, i) => adviceRow(row, i, { low, high, all, play })));
  const count = found ? found.iterations.toLocaleString(document.documentElement.lang) : "";
  byId("iterations").textContent = found ? t(isRunning ? "iterationsRunning" : "iterationsDone", { count }) : "";
  put("advice-note", moves.some(({ score }) => score === null) ? t("adviceNote") : "");
}

function adviceRow({ move, visits, score, glance }, i, { low, high, all, play }) {
  const isTried = score !== null;
  const share = isTried ? (high > low ? (score - low) / (high - low) : 1) : 0;
  const bar = make("span", { className: "bar-of" }, make("i"));
  bar.firstChild.style.width = `${isTried ? LEAST_BAR + (100 - LEAST_BAR) * share : 0}%`;
  const value = make("strong", { className: isTried ? "score" : "score soft", textContent: (isTried ? score : glance).toFixed(1) });
  const part = make("span", { className: "rest", textContent: isTried ? t("visitShare", { share: Math.round((100 * visits) / all) }) : t("atGlance") });
  const button = make("button", { type: "button" }, make("b", { textContent: i + 1 }), make("span", { textContent: moveText(move) }), bar, value, part);
  button.dataset.move = move;
  button.addEventListener("click", () => play(move));
  return make("li", {}, button);
}
