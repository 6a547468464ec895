// The buttons, boxes and keys of the page: what they are called and what they do.

import { fillOpenings, playOpening, showBook } from "./openings.js";
import { backTo, forwardTo, go as letMove, halt, keepLine, newGame, setSide } from "./playing.js";
import { solve } from "./proofs.js";
import { fillRules, isInOpening, offerRule } from "./rules.js";
import { nextMistake, reviewGame } from "./review.js";
import { copyLink, saveMoving, savePng, saveSvg } from "./share.js";
import { currentLanguage, fillTexts, settings, t, word } from "./texts.js";
import { other } from "./tree.js";
import { byId, colorText, options, put, toast } from "./view.js";

const TIMES = [1, 3, 10, 30]; // seconds a move that can be chosen
const CLOCKS = [5, 10, 20, 40]; // minutes a side
const LINES = [1, 2, 3, 5, 10];
const TABS = ["moves", "play", "proofs", "openings", "games"];
const CHECKS = ["numbers", "forbidden", "points", "taps", "sound"];

// Texts and choices that do not depend on the position.
export function fillControls(page) {
  const { choices } = page;
  fillTexts();
  byId("language").textContent = t("language");
  byId("language").lang = currentLanguage() === "ja" ? "en" : "ja";
  options("level", settings.levels.map((name) => [name, word(`level-${name}`)]), choices.get("level"));
  const times = TIMES.map((count) => [String(count), t("seconds", { count })]);
  options("time", [["", t("timeLevel")], ...times], choices.get("time"));
  const clocks = CLOCKS.map((count) => [String(count), t("minutes", { count })]);
  options("clock", [["", t("noClock")], ...clocks], choices.get("clock"));
  fillRules(choices);
  options("format", settings.formats.map((name) => [name, name.toUpperCase()]));
  options("multipv", LINES.map((count) => [String(count), String(count)]), choices.get("multipv"));
  const threads = Array.from({ length: settings.threads }, (_, i) => [String(i + 1), String(i + 1)]);
  options("threads", threads, choices.get("threads"));
  if (!byId("threads").value) byId("threads").value = "1";
  for (const id of CHECKS) byId(id).checked = choices.get(id);
  byId("analyse").checked = page.isAnalysing;
  fillOpenings();
  for (const button of document.querySelectorAll("[data-solve]")) {
    const { solve: kind, color } = button.dataset;
    const label = t("solveLabel", { kind: t(kind), who: colorText(color) });
    button.setAttribute("aria-label", label);
    button.title = label;
  }
  const names = ["black", "white", "empty", "candidate", "double-three", "double-four", "overline"];
  page.board.texts = Object.fromEntries(names.map((name) => [name, t(name)]));
  page.board.texts.forbidden = t("forbiddenFor");
  page.board.svg.setAttribute("aria-label", t(settings.report ? "boardReport" : "boardHelp"));
  showTab(page, choices.get("tab"));
}

export function showTab(page, name) {
  const wanted = TABS.includes(name) && !byId(`tab-${name}`).hidden ? name : TABS[0];
  for (const tab of TABS) {
    byId(`tab-${tab}`).setAttribute("aria-selected", tab === wanted);
    byId(`panel-${tab}`).hidden = tab !== wanted;
  }
  page.choices.set("tab", wanted);
  page.files.showRecent();
}

const on = (id, action, event = "click") => byId(id).addEventListener(event, action);

export function listen(page) {
  listenGame(page);
  listenTree(page);
  listenBoxes(page);
  for (const tab of TABS) {
    on(`tab-${tab}`, () => {
      showTab(page, tab);
      if (tab === "openings") showBook(page);
    });
  }
  document.addEventListener("keydown", (event) => onKey(page, event));
  let turned = 0;
  page.board.svg.addEventListener("wheel", (event) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < 40) return;
    byId(turned > 0 ? "next" : "previous").click();
    turned = 0;
  }, { passive: false });
}

function listenGame(page) {
  const tree = () => page.game.tree;
  // The buttons go through what is shown: a line, or the game.
  const go = (toPlace, toNode) => () => (page.line ? page.lineTo(toPlace(page.line)) : page.goTo(toNode(tree())));
  on("first", go(() => 0, ({ root }) => root));
  on("previous", go(({ at }) => at - 1, ({ at }) => at.parent));
  on("next", go(({ at }) => at + 1, (all) => all.next()));
  on("last", go(({ moves }) => moves.length, (all) => all.line().at(-1)));
  on("slider", () => page.goTo(tree().line()[Number(byId("slider").value)]), "input");
  on("back", () => page.goTo(backTo(page)));
  on("redo", () => page.goTo(forwardTo(page)));
  on("go", () => letMove(page));
  on("halt", () => halt(page));
  on("new", () => {
    if (newGame(page)) toast(t("newTold"), true);
  });
  on("swap", () => setSide(page, other(page.game.side)));
  on("side", () => setSide(page, byId("side").value), "change");
  on("pass", () => page.play("pass"));
  on("analyse", () => page.setAnalysing(byId("analyse").checked), "change");
  on("deeper", () => page.deeper());
  on("why-play", () => page.play(page.why.point));
  on("why-close", () => page.setLine(null));
  on("confirm-yes", () => page.play(page.chosen));
  on("confirm-no", () => page.setLine(null));
  on("line-back", () => page.lineTo(page.line.at - 1));
  on("line-on", () => page.lineTo(page.line.at + 1));
  for (const id of ["line-close", "leave"]) on(id, () => page.setLine(null));
  on("line-play", () => keepLine(page));
  for (const button of document.querySelectorAll("[data-solve]")) {
    button.addEventListener("click", () => solve(page, button.dataset.solve, button.dataset.color));
  }
  for (const kind of ["vcf", "vct"]) {
    on(`attack-${kind}`, () => {
      page.attack = page.attack && page.attack.kind === kind ? null : { kind };
      showControls(page);
    });
  }
}

function listenTree(page) {
  const edit = (action) => page.change(() => page.space.change(action(page.game.tree)));
  on("undo", () => page.change(() => page.space.undo()));
  on("redo-change", () => page.change(() => page.space.redo()));
  on("toast-undo", () => {
    byId("toast").hidden = true;
    page.change(() => page.space.undo());
  });
  on("promote", () => edit((tree) => tree.promote()));
  on("main-line", () => edit((tree) => tree.promote(tree.at, true)));
  on("delete", () => {
    edit((tree) => tree.remove());
    toast(t("deleted"), true);
  });
  on("mark", () => {
    page.isMarking = !page.isMarking;
    showControls(page);
  });
  on("comment", () => {
    page.space.change(page.game.tree.setComment(byId("comment").value));
    page.space.storeSoon(settings.start);
    page.showReview();
    showControls(page);
  }, "input");
  on("comment", () => page.space.closeChange(), "change");
  on("review", () => reviewGame(page));
  on("mistake", () => nextMistake(page));
}

function listenBoxes(page) {
  const { choices } = page;
  for (const id of ["level", "time", "clock"]) {
    on(id, () => {
      choices.set(id, byId(id).value);
      showControls(page);
    }, "change");
  }
  for (const id of ["multipv", "threads"]) {
    on(id, () => {
      choices.set(id, byId(id).value);
      if (page.isAnalysing) page.setAnalysing(true);
    }, "change");
  }
  for (const id of CHECKS) {
    on(id, () => {
      choices.set(id, byId(id).checked);
      page.chosen = null;
      page.show();
    }, "change");
  }
  on("clock", () => {
    const minutes = Number(byId("clock").value);
    page.game.clock = minutes ? { black: 60 * minutes, white: 60 * minutes } : null;
  }, "change");
  on("rule-choice", () => offerRule(page, byId("rule-choice").value), "change");
  on("opening-list", () => playOpening(page), "change");
  on("language", () => page.setLanguage(currentLanguage() === "ja" ? "en" : "ja"));
  on("link", () => copyLink(page.game));
  on("picture-svg", saveSvg);
  on("picture-png", () => savePng().catch((error) => page.fail(error)));
  on("picture-line", () => saveMoving(page));
  on("error", () => put("error", ""));
  for (const [button, box] of [["options", "options-box"], ["engine-options", "engine-box"]]) {
    on(button, () => setOpen(button, box, byId(box).hidden));
  }
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#options, #options-box")) setOpen("options", "options-box", false);
  });
}

function setOpen(button, box, isOpen) {
  byId(box).hidden = !isOpen;
  byId(button).setAttribute("aria-expanded", isOpen);
}

export function showControls(page) {
  const { game, facts, thinking, chosen, choices, space } = page;
  const { tree } = game;
  const isOver = Boolean(facts.outcome);
  const { line } = page;
  for (const id of ["first", "previous"]) byId(id).disabled = line ? line.at === 0 : !tree.at.parent;
  for (const id of ["next", "last"]) byId(id).disabled = line ? line.at === line.moves.length : !tree.next();
  byId("delete").disabled = !tree.at.parent;
  byId("redo").disabled = !tree.next();
  byId("leave").hidden = !line;
  byId("mistake").hidden = Boolean(line) || !game.review || !game.review.rows.length;
  for (const id of ["promote", "main-line"]) byId(id).disabled = tree.isMain();
  byId("back").disabled = !backTo(page);
  byId("undo").disabled = !space.history.past.length;
  byId("redo-change").disabled = !space.history.future.length;
  byId("mark").setAttribute("aria-pressed", page.isMarking);
  for (const kind of ["vcf", "vct"]) {
    const isPressed = Boolean(page.attack) && page.attack.kind === kind;
    byId(`attack-${kind}`).setAttribute("aria-pressed", isPressed);
    byId(`attack-${kind}`).disabled = isOver || thinking;
  }
  byId("side").value = game.side;
  byId("swap").disabled = !["black", "white"].includes(game.side) || isInOpening(page);
  byId("go").textContent = t(thinking ? "moveNow" : "engineMove");
  byId("go").disabled = isOver;
  byId("halt").disabled = !page.search && !(game.side === "none" && !game.isPaused);
  byId("review").disabled = !tree.line().some((node) => node.move) || thinking || page.reviewing !== null;
  byId("pass").disabled = isOver || thinking || tree.moves().length < 3 || isInOpening(page);
  // Below the level that the clock ends, a time per move would do nothing.
  byId("time-label").hidden = !settings.timed_levels.includes(choices.get("level"));
  for (const button of document.querySelectorAll("[data-solve]")) button.disabled = isOver || thinking;
  byId("confirm").hidden = !chosen;
  if (!chosen) return;
  byId("confirm-text").textContent = t("confirm", { point: chosen });
  byId("confirm-yes").textContent = t("yes", { point: chosen });
}

const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", n: "mistake" };

function onKey(page, event) {
  const isTyping = event.target.closest("input:not([type=checkbox], [type=range]), select, textarea");
  const isCommand = event.ctrlKey || event.metaKey;
  if (isTyping || event.altKey) return;
  if (isCommand && event.key.toLowerCase() === "z") {
    byId(event.shiftKey ? "redo-change" : "undo").click();
  } else if (isCommand) {
    return;
  } else if (event.key === "Escape") {
    put("error", "");
    setOpen("options", "options-box", false);
    page.isMarking = false;
    page.attack = null;
    page.setLine(null);
  } else if (event.key === "p") {
    nextMistake(page, -1);
  } else if (event.key === "a") {
    byId("analyse").click();
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    stepBeside(page, event.key === "ArrowDown" ? 1 : -1);
  } else if (page.line && event.key.startsWith("Arrow")) {
    byId(event.key === "ArrowLeft" ? "line-back" : "line-on").click();
  } else if (KEYS[event.key]) {
    byId(KEYS[event.key]).click();
  } else {
    return;
  }
  event.preventDefault();
}

// To the variation beside the one that is shown.
function stepBeside(page, step) {
  const { at } = page.game.tree;
  if (!at.parent) return;
  const beside = at.parent.children;
  page.goTo(beside[(beside.indexOf(at) + step + beside.length) % beside.length]);
}
