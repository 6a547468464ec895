// What the page shows of the position: status, board, forbidden points. And small tools for elements.

import { currentLanguage, t, word } from "./texts.js";
import { other } from "./tree.js";

export const byId = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// An element of a picture.
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Text that is there or not.
export function put(id, text) {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

// New rows for a list; the keyboard stays on the button where it was.
export function refill(list, rows) {
  const at = [...list.querySelectorAll("button")].indexOf(document.activeElement);
  list.replaceChildren(...rows);
  const button = at >= 0 && list.querySelectorAll("button")[at];
  if (button) button.focus({ preventScroll: true });
}

export function options(id, rows, value) {
  byId(id).replaceChildren(...rows.map(([key, textContent]) => make("option", { value: key, textContent })));
  if (value !== undefined) byId(id).value = value;
}

export function outcomeText(outcome) {
  const why = word(`reason-${outcome.reason}`);
  if (!outcome.winner) return t("draw", { why });
  return t(outcome.winner === "black" ? "wonBlack" : "wonWhite", { why });
}

export const colorText = (color) => t(color === "black" ? "sideBlack" : "sideWhite");

const turnText = (turn) => t(turn === "black" ? "turnBlack" : "turnWhite");

export const openingText = (opening) => (opening ? t("opening", opening) : "");

export const pointText = (point) => (point === "pass" ? t("passed") : point);

// `step` is what is to be done in an opening by a rule: {color, text}, or null.
export function showStatus({ facts, side, isThinking, isWaiting, depth, step, line }) {
  const { outcome, turn } = facts;
  const who = outcome ? outcome.winner : step ? step.color : turn;
  byId("status").classList.toggle("over", Boolean(outcome));
  byId("status-disc").className = `disc ${who || "none"}`;
  let text = outcome ? outcomeText(outcome) : turnText(turn);
  if (!outcome && side === turn) text = t("yourTurn", { who: text });
  if (!outcome && step) text = step.text;
  if (line) text = t("lineAt", { name: line.name || t("line"), at: line.at, all: line.moves.length });
  // Only what changed is said again by screen readers.
  const place = byId("status-text");
  place.ariaBusy = Boolean(facts.isGuess && !facts.hasFailed); // a screen reader waits for the facts
  if (place.textContent !== text) place.textContent = text;
  const thinking = depth ? t("thinkingDepth", { depth }) : t("thinking");
  byId("thinking").textContent = isThinking ? thinking : isWaiting ? t("paused") : "";
  byId("opening").textContent = openingText(facts.opening);
}

// The stones of a line, numbered from 1; a pass takes its turn and leaves no stone.
export function ghosts(moves, color) {
  return moves
    .map((point, i) => ({ point, color: i % 2 ? other(color) : color, number: i + 1 }))
    .filter(({ point }) => point !== "pass");
}

// What the board widget is to show. `line` has facts of its own: those of the game are not true in it.
export function boardView({ game, facts, choices, candidates, line, why, chosen }) {
  const { at } = game.tree;
  const view = {
    stones: game.stones(),
    last: at.move || null,
    win: facts.outcome ? facts.outcome.line : [],
    forbidden: choices.get("forbidden") && !facts.outcome ? facts.forbidden : {},
    numbers: choices.get("numbers"),
    labels: labelTexts(at.labels),
  };
  if (line) {
    view.ghost = ghosts(line.moves.slice(0, line.at), line.color);
    view.last = line.at ? line.moves[line.at - 1] : null;
    view.numbers = false; // those of the line count from 1
    view.labels = {};
    const own = line.facts;
    view.win = own && own.outcome ? own.outcome.line : [];
    view.forbidden = choices.get("forbidden") && own && !own.outcome ? own.forbidden : {};
    view.arrows = line.arrows || [];
  } else if (why) {
    if (!facts.outcome) view.ghost = [{ point: why.point, color: "black" }];
    view.heat = whyHeat(why);
  } else if (chosen) {
    view.ghost = [{ point: chosen, color: facts.turn }];
  } else {
    view.candidates = candidates;
  }
  return view;
}

// A mark without a text is a dot.
function labelTexts(labels = {}) {
  return Object.fromEntries(Object.entries(labels).map(([point, text]) => [point, text || "●"]));
}

// Stones of the shapes that make a point forbidden, and the points that would complete them.
function whyHeat(why) {
  const heat = {};
  for (const line of why.lines) {
    for (const point of line.points) heat[point] = Math.max(heat[point] || 0, 0.3);
    for (const point of line.stones) heat[point] = 0.75;
  }
  return heat;
}

// A button for every forbidden point, which tells why; at the end of a game for the one that lost it.
export function showFouls({ outcome, forbidden }, isShown, explain) {
  const texts = Object.entries(isShown && !outcome ? forbidden : {}).map(([point, kind]) => {
    return [point, t("chip", { point, kind: word(kind) })];
  });
  if (outcome && outcome.reason === "forbidden") {
    texts.push(...outcome.line.map((point) => [point, t("whyLost", { point })]));
  }
  const chips = texts.map(([point, textContent]) => {
    const button = make("button", { type: "button", className: "chip", textContent });
    button.addEventListener("click", () => explain(point));
    return button;
  });
  refill(byId("fouls"), chips);
}

export function showWhy(why, isBlackNext) {
  byId("why").hidden = !why;
  if (!why) return;
  const lines = why.texts[currentLanguage()].split("\n").map((line) => {
    const row = make("p", { textContent: line.trim() });
    row.style.marginLeft = `${line.search(/\S/) * 0.6}em`; // what is inside of another line
    return row;
  });
  byId("why-text").replaceChildren(...lines);
  byId("why-play").hidden = !isBlackNext || !why.kind;
}

let toastTimer = 0;

// A word at the lower edge; with `canUndo` a button takes it back.
export function toast(text, canUndo = false) {
  put("toast-text", text);
  byId("toast").hidden = false;
  byId("toast-undo").hidden = !canUndo;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (byId("toast").hidden = true), 6000);
}
