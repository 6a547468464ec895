// Openings: the name of the one on the board, what the book knows here, and all 26 to begin with.

import { percent, share } from "./analysis.js";
import * as api from "./api.js";
import { showExplorer } from "./explorer.js";
import { settings, t } from "./texts.js";
import { byId, make, openingText, options, pointText, put } from "./view.js";

export function fillOpenings() {
  const rows = settings.openings.map((opening) => [opening.moves.join(" "), openingText(opening)]);
  options("opening-list", [["", t("chooseOpening")], ...rows], "");
}

// Puts an opening on the board as a variation from the start.
export function playOpening(page) {
  const moves = byId("opening-list").value;
  byId("opening-list").value = "";
  if (!moves) return;
  page.change(() => {
    page.game.tree.goTo(page.game.tree.root);
    for (const move of moves.split(" ")) page.space.change(page.game.tree.play(move));
  });
}

// What the book knows of the position; asked for while the panel is open.
export async function showBook(page) {
  byId("opening-name").textContent = openingText(page.facts.opening) || t("noOpening");
  if (byId("panel-openings").hidden) return;
  showExplorer(page);
  const change = page.changes;
  let found;
  try {
    found = await api.ask("book", page.game.position());
  } catch (error) {
    page.fail(error);
    return;
  }
  if (change !== page.changes) return;
  byId("book").hidden = !found.moves.length;
  put("book-note", found.moves.length ? "" : t("noBook"));
  byId("book").tBodies[0].replaceChildren(...found.moves.map((row) => bookRow(page, row)));
}

function bookRow(page, { move, share: part, score, win_rate: rate }) {
  const button = make("button", { type: "button", className: "small", textContent: pointText(move) });
  button.addEventListener("click", () => page.play(move));
  button.addEventListener("mouseenter", () => page.setHint([move]));
  button.addEventListener("mouseleave", () => page.setHint(null));
  const meter = make("meter", { min: 0, max: 1, value: part });
  const often = make("td", {}, meter, ` ${Math.round(100 * part)} %`);
  const value = make("td", { textContent: rate ? percent(share(rate)) : "–", title: score === null ? "" : String(score) });
  return make("tr", {}, make("td", {}, button), often, value);
}
