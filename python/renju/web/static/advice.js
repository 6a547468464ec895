// Advice at the table of Twin Cool: what every move promises, with a bar.

import { t } from "./texts.js";
import { byId, make, put } from "./view.js";

const LEAST_BAR = 6; // percent of the worst move

// "C7 1" in words.
export function moveText(move) {
  const [card, pile] = move.split(" ");
  return t("cardOn", { card, pile });
}

// `found` is the last that a search told; `play` plays a move. Rows stay and change their words: a button that is
// replaced under a finger loses the click.
export function showAdvice(found, isRunning, play) {
  const moves = found ? found.moves : [];
  const scores = moves.filter(({ score }) => score !== null).map(({ score }) => score);
  const range = [Math.min(...scores), Math.max(...scores)];
  const all = moves.reduce((sum, { visits }) => sum + visits, 0);
  const list = byId("advised");
  while (list.children.length > moves.length) list.lastElementChild.remove();
  while (list.children.length < moves.length) list.append(adviceRow(list.children.length + 1));
  moves.forEach((row, i) => {
    const button = list.children[i].firstElementChild;
    button.dataset.move = row.move;
    button.onclick = () => play(row.move);
    fillRow(button, row, range, all);
  });
  const count = found ? found.iterations.toLocaleString(document.documentElement.lang) : "";
  byId("iterations").textContent = found ? t(isRunning ? "iterationsRunning" : "iterationsDone", { count }) : "";
  put("advice-note", moves.some(({ score }) => score === null) ? t("adviceNote") : "");
}

function adviceRow(rank) {
  const words = [make("span"), make("span", { className: "bar-of" }, make("i")), make("strong"), make("span", { className: "rest" })];
  return make("li", {}, make("button", { type: "button" }, make("b", { textContent: rank }), ...words));
}

// What no iteration has tried has no score and no bar.
function fillRow(button, { move, visits, score, glance }, [low, high], all) {
  const [, name, bar, value, part] = button.children;
  const isTried = score !== null;
  const share = high > low ? (score - low) / (high - low) : 1;
  name.textContent = moveText(move);
  bar.firstElementChild.style.width = isTried ? `${LEAST_BAR + (100 - LEAST_BAR) * share}%` : "0%";
  value.textContent = (isTried ? score : glance).toFixed(1);
  value.className = isTried ? "score" : "score soft";
  part.textContent = isTried ? t("visitShare", { share: Math.round((100 * visits) / all) }) : t("atGlance");
}
