// The explorer: what was played in the position in the games of a file that the server was started with.

import * as api from "./api.js";
import { settings, t } from "./texts.js";
import { byId, make, pointText, put } from "./view.js";

const numbers = () => new Intl.NumberFormat(document.documentElement.lang);

let shown = ""; // the position that is in the table

// Asks for the position, once; the panel is open.
export async function showExplorer(page) {
  byId("explorer-box").hidden = !settings.explorer;
  if (!settings.explorer || page.facts.isGuess) return;
  const position = page.game.position();
  const key = JSON.stringify([position, document.documentElement.lang, Boolean(page.facts.outcome)]);
  if (key === shown) return;
  shown = key;
  let found;
  try {
    found = await api.ask("explorer", position);
  } catch (error) {
    if (shown !== key) return;
    shown = "";
    page.fail(error);
    return;
  }
  if (shown === key) fill(page, found);
}

function fill(page, { games, moves }) {
  const told = { file: settings.explorer, count: numbers().format(games) };
  put("explorer-note", t(moves.length ? "explorerGames" : "explorerNone", told));
  byId("explorer").hidden = !moves.length;
  byId("explorer").tBodies[0].replaceChildren(...moves.map((played) => row(page, played)));
  byId("explorer-scroll").scrollTop = 0;
}

function row(page, played) {
  const { move, games, last_year: year, players } = played;
  const button = make("button", { type: "button", className: "small", textContent: pointText(move) });
  button.addEventListener("click", () => page.play(move));
  for (const [event, line] of [["mouseenter", [move]], ["focus", [move]], ["mouseleave", null], ["blur", null]]) {
    button.addEventListener(event, () => page.setHint(line));
  }
  const names = players.some(Boolean) ? players.map((name) => name || "?").join(" – ") : played.game;
  return make(
    "tr",
    {},
    make("td", {}, button),
    make("td", { className: "number", textContent: numbers().format(games) }),
    make("td", {}, results(played)),
    make("td", { className: "number", textContent: year || "–", title: t("explorerLatest", { names }) }),
    make("td", { className: "number" }, value(played)),
  );
}

// Wins of black, draws and wins of white, side by side.
function results({ black, draws, white }) {
  const known = black + draws + white;
  if (!known) return make("span", { className: "soft", textContent: t("explorerNoResult") });
  const text = t("explorerResults", { black, draws, white });
  const parts = [["black", black], ["draw", draws], ["white", white]].map(([name, count]) => {
    const part = make("i", { className: name, textContent: count / known >= 0.2 ? `${Math.round((100 * count) / known)} %` : "" });
    part.style.flexGrow = count;
    return part;
  });
  const bar = make("span", { className: "results", title: text, role: "img", ariaLabel: text }, ...parts.filter((_, i) => [black, draws, white][i]));
  return bar;
}

function value({ score, sure }) {
  if (sure) return make("strong", { className: sure, textContent: sure === "win" ? t("explorerWin") : t("explorerLoss") });
  return score === null ? "–" : score > 0 ? `+${score}` : String(score).replace("-", "−");
}
