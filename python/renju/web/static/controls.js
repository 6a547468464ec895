// The buttons, boxes and keys of the page: what they are called and what they do.

import * as api from "./api.js";
import { other } from "./game.js";
import { reviewGame, showBetter } from "./review.js";
import { currentLanguage, fillTexts, settings, t, word } from "./texts.js";
import { byId, colorText, make, put } from "./view.js";

const TIMES = [1, 3, 10, 30]; // seconds a move that can be chosen

// Texts and choices that do not depend on the position.
export function fillControls(page) {
  fillTexts();
  byId("language").textContent = t("language");
  byId("language").lang = currentLanguage() === "ja" ? "en" : "ja";
  const options = (id, rows) => {
    byId(id).replaceChildren(...rows.map(([value, textContent]) => make("option", { value, textContent })));
  };
  options("level", settings.levels.map((name) => [name, word(`level-${name}`)]));
  options("time", [["", t("timeLevel")], ...TIMES.map((count) => [String(count), t("seconds", { count })])]);
  options("format", settings.formats.map((name) => [name, name.toUpperCase()]));
  for (const id of ["level", "time"]) byId(id).value = page.choices.get(id);
  for (const id of ["numbers", "forbidden", "taps"]) byId(id).checked = page.choices.get(id);
  for (const button of document.querySelectorAll("[data-solve]")) {
    const { solve, color } = button.dataset;
    const label = t("solveLabel", { kind: t(solve), who: colorText(color) });
    button.setAttribute("aria-label", label);
    button.title = label;
  }
  const names = ["black", "white", "empty", "candidate", "double-three", "double-four", "overline"];
  page.board.texts = Object.fromEntries(names.map((name) => [name, t(name)]));
  page.board.texts.forbidden = t("forbiddenFor");
  page.board.svg.setAttribute("aria-label", t("boardHelp"));
}

export function listen(page) {
  const { game, choices } = page;
  const on = (id, action, event = "click") => byId(id).addEventListener(event, action);
  const jump = (id, count) => on(id, () => page.change(() => game.goTo(count())));
  jump("first", () => 0);
  jump("previous", () => game.at - 1);
  jump("next", () => game.at + 1);
  jump("last", () => game.moves.length);
  jump("back", () => game.backTo(game.side));
  jump("redo", () => game.forwardTo(game.side));
  on("go", () => (page.thinking ? api.ask("stop", { tab: api.tab }).catch((e) => page.fail(e)) : page.go()));
  on("halt", () => {
    page.game.isPaused = true;
    page.isAnalysing = byId("analyse").checked = false;
    page.stopSearch();
    page.showVerdict();
    page.show();
  });
  on("new", () => {
    game.side = choices.get("side");
    page.change(() => game.clear());
  });
  on("swap", () => page.setSide(other(game.side)));
  on("side", () => page.setSide(byId("side").value), "change");
  for (const id of ["level", "time"]) on(id, () => choices.set(id, byId(id).value), "change");
  for (const id of ["numbers", "forbidden", "taps"]) {
    on(id, () => {
      choices.set(id, byId(id).checked);
      page.chosen = null;
      page.show();
    }, "change");
  }
  on("review", () => reviewGame(page));
  on("better", () => showBetter(page));
  on("pass", () => page.play("pass"));
  on("analyse", () => page.setAnalysing(byId("analyse").checked), "change");
  on("why-play", () => page.play(page.why.point));
  on("why-close", () => page.setLine(null));
  on("confirm-yes", () => page.play(page.chosen));
  on("confirm-no", () => page.setLine(null));
  on("message", dismissError);
  on("line-back", () => page.lineTo(page.line.at - 1));
  on("line-on", () => page.lineTo(page.line.at + 1));
  on("line-close", () => page.setLine(null));
  on("line-play", () => page.playLine());
  on("language", () => page.setLanguage(currentLanguage() === "ja" ? "en" : "ja"));
  for (const button of document.querySelectorAll("[data-solve]")) {
    button.addEventListener("click", () => page.solve(button.dataset.solve, button.dataset.color));
  }
  document.addEventListener("keydown", (event) => onKey(page, event));
}

function dismissError() {
  if (byId("message").classList.contains("bad")) put("message", "");
}

function onKey(page, event) {
  const isTyping = event.target.closest("input, select, textarea");
  if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
  const ids = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  if (page.line && event.key.startsWith("Arrow")) Object.assign(ids, { ArrowLeft: "line-back", ArrowRight: "line-on" });
  if (event.key === "Escape") {
    dismissError();
    page.setLine(null);
  } else if (ids[event.key]) {
    byId(ids[event.key]).click();
  } else {
    return;
  }
  event.preventDefault();
}
