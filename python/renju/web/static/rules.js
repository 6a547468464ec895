// Openings by a rule (RIF, Soosõrv …): who has to do what, and the steps in the tree. The rules themselves are known
// to the server alone. Stones are moves of the tree; swaps, numbers of fifths, offers and choices of a colour are nodes
// without a move, with the step as a property that files keep, too.

import * as api from "./api.js";
import { knock } from "./sound.js";
import { currentLanguage, settings, t } from "./texts.js";
import { STEP, isStep } from "./tree.js";
import { byId, colorText, make, options, pointText, put, refill, toast } from "./view.js";

const RULE = "OPENINGRULE"; // property of the root
const MOST_KNOWN = 300; // states that are kept
const PERSONS = { black: "first", white: "second" }; // who one is when an opening begins: the first player has black

const known = new Map(); // state by rule and steps

// The rule of a game, "" without one; a file may name one that nobody knows.
export function ruleOf(game) {
  const name = game.tree.root.properties?.[RULE]?.[0] || "";
  return settings.rules.some(([known]) => known === name) ? name : "";
}

const stepOf = (node) => node.properties[STEP][0];

export function fillRules(choices) {
  options("rule-choice", [["", t("noRule")], ...settings.rules], choices.get("rule"));
}

// Begins an opening in an empty game, or none; `side` is what the person plays, the first player has black.
export function beginRule(game, rule, side) {
  const { [RULE]: old, ...properties } = game.tree.root.properties || {};
  game.tree.root.properties = rule ? { ...properties, [RULE]: [rule] } : properties;
  const found = settings.rules.find(([name]) => name === rule);
  const { rule: before, ...headers } = game.headers;
  game.headers = found ? { ...headers, rule: found[1] } : headers;
  game.person = PERSONS[side] || side;
}

// State

// All that was done up to a node, as texts.
function stepsTo({ tree }, node = tree.at) {
  return tree.path(node).filter((one) => one.move || isStep(one)).map((one) => one.move || stepOf(one));
}

async function ask(rule, actions) {
  const key = JSON.stringify([rule, actions]);
  if (!known.has(key)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, await api.ask("rule", { rule, actions }));
  }
  return known.get(key);
}

// The state of the opening in the position that is shown: null without a rule, undefined if it has to be asked for.
export function knownRule(page) {
  const rule = ruleOf(page.game);
  return rule ? known.get(JSON.stringify([rule, stepsTo(page.game)])) : null;
}

// The same, asked for. A file may hold steps that nobody understands: that is told, and the game goes on without a rule.
export async function askRule(page) {
  const rule = ruleOf(page.game);
  if (!rule) return null;
  try {
    return await ask(rule, stepsTo(page.game));
  } catch (error) {
    page.fail(error);
    return null;
  }
}

// Takes over what the rule says: after a swap a person has the other colour.
export function takeRule(page, rule) {
  page.rule = rule;
  const { game } = page;
  if (rule && rule.colors[game.person]) game.side = rule.colors[game.person];
  else if (rule) game.side = game.person;
}

export const isInOpening = ({ rule }) => Boolean(rule && !rule.done && !rule.refused);

// Is the opening one that is played here and not over, as far as is known?
export const isRuled = ({ game, rule }) => Boolean(ruleOf(game)) && rule !== null && !(rule && (rule.done || rule.refused));

export function isEngineStep({ game, rule }) {
  return isInOpening({ rule }) && game.person !== "both" && !game.tree.at.children.length && rule.player !== game.person;
}

// Who made the step to a node, first or second; null where nobody knows.
function makerOf({ game, rule }, node) {
  const place = stepsTo(game, node).length - 1;
  if (!rule || place < 0) return null;
  if (place < rule.by.length) return rule.by[place];
  const color = game.turn(game.tree.moves(node).length - 1);
  return Object.keys(rule.colors).find((player) => rule.colors[player] === color);
}

// Where a take-back leads: before the last step that the person made.
export function backInOpening(page) {
  const { game } = page;
  let node = game.tree.at;
  if (["both", "none"].includes(game.person)) return node.parent;
  while (node.parent && makerOf(page, node) !== game.person) node = node.parent;
  return node.parent;
}

// Who is to play which colour from now on, by a choice of the person.
export function setPerson(page, side) {
  const { game, rule } = page;
  const players = rule ? rule.colors : { first: "black", second: "white" };
  game.person = Object.keys(players).find((player) => players[player] === side) || side;
}

// Steps

// Plays a point by the rule; false outside of an opening.
export async function playByRule(page, point) {
  if (!isRuled(page)) return false;
  if (page.rule === undefined && !(await page.ready)) return true; // nobody knows yet what may be done
  if (!isInOpening(page)) return false;
  await makeStep(page, point);
  return true;
}

// Makes a step, a point or a text, if the rule allows it; else it says why not.
async function makeStep(page, step) {
  const { game } = page;
  const change = page.changes;
  let found;
  try {
    found = await ask(ruleOf(game), [...stepsTo(game), step]);
  } catch (error) {
    page.fail(error);
    return;
  }
  if (change !== page.changes) return;
  if (found.refused) {
    refuse(page, found.refused.texts[currentLanguage()]);
    return;
  }
  const isStone = found.moves.length > page.rule.moves.length;
  if (isStone && page.choices.get("sound")) knock();
  const hasFocus = byId("rule").contains(document.activeElement);
  game.isPaused = false;
  const labels = step.startsWith("offer ") ? labelsOf(found.offered) : {};
  await page.change(() => {
    page.space.change(isStone ? game.tree.play(step) : game.tree.step(step, labels));
  }, true);
  if (hasFocus) byId("rule").focus(); // its buttons are others now
}

function refuse(page, reason) {
  const text = t("ruleRefused", { reason });
  toast(text);
  page.board.say(text);
}

// The engine does what is to be done.
export async function decide(page) {
  const { game } = page;
  const running = page.run("decide", { rule: ruleOf(game), actions: stepsTo(game), seed: game.seed });
  page.thinking = true;
  page.show();
  const change = page.changes;
  const result = await running;
  if (change !== page.changes) return;
  if (!result) {
    game.isPaused = true; // it failed: no new try unasked
    page.show();
    return;
  }
  await makeStep(page, result.action);
  page.board.say(t("ruleBefore", { who: t("ruleEngine"), step: stepText(result.action) }));
}

// A point was chosen where none may be placed: it is offered or not, or it says what is to be done. False if a stone
// may be placed here, or a fifth chosen.
export function pickPoint(page, point) {
  if (!isInOpening(page)) return false;
  const kinds = page.rule.options.map(({ kind }) => kind);
  if (kinds.includes("place") || kinds.includes("choose")) return false;
  const offer = page.rule.options.find(({ kind }) => kind === "offer");
  if (offer) pickFifth(page, offer, point);
  else refuse(page, stepsText(page));
  return true;
}

function pickFifth(page, offer, point) {
  const { picked } = page;
  const group = offer.same.find((points) => points.includes(point)) || [point];
  const other = picked.find((one) => one !== point && group.includes(one));
  if (picked.includes(point)) page.picked = picked.filter((one) => one !== point);
  else if (other) refuse(page, t("ruleSame", { point, other }));
  else if (picked.length === offer.count) refuse(page, t("ruleEnough", { count: offer.count }));
  else page.picked = [...picked, point];
  page.show();
  page.board.say(t("rulePicked", { count: page.picked.length, all: offer.count }));
}

// Words

// A player: the person, the engine, or where one of them plays both, the first or the second player.
function playerText({ game }, player) {
  if (["both", "none"].includes(game.person)) return player === "first" ? t("ruleFirst") : t("ruleSecond");
  return game.person === player ? t("ruleYou") : t("ruleEngine");
}

const whoText = (page, player, color) => t("ruleWho", { who: playerText(page, player), color: colorText(color) });

function whereText(reach) {
  if (reach === null) return t("ruleAnywhere");
  return reach ? t("ruleSquare", { side: 2 * reach + 1 }) : t("ruleCentre");
}

function optionText(option) {
  const values = { ...option };
  if (option.kind === "place") Object.assign(values, { stone: t(option.stone), where: whereText(option.reach) });
  return t(`rule-${option.kind}`, values);
}

// What may be done now, and by whom: "You (Black): place move 3 …".
export function stepsText(page) {
  const { player, color } = page.rule.options[0];
  const what = page.rule.options.map(optionText).join(t("ruleOr"));
  return t("ruleTodo", { who: whoText(page, player, color), what });
}

// A step in the list of moves.
export function stepText(step) {
  const [verb, ...rest] = step.split(" ");
  switch (verb) {
    case "swap":
      return t("ruleSwapped");
    case "no":
      return t("ruleKept");
    case "declare":
      return t("ruleDeclared", { count: rest[0] });
    case "offer":
      return t("ruleOffered", { points: rest.join(" ") });
    case "take":
      return t("ruleTook", { color: colorText(rest[0]) });
    default:
      return pointText(step);
  }
}

export const stepName = (node) => stepText(stepOf(node));

// The box

export function showRule(page) {
  const { rule, game } = page;
  const isOpen = isInOpening(page);
  const isEnd = Boolean(rule && rule.done && stepsTo(game).length === rule.by.length);
  byId("rule").hidden = !(isOpen || isEnd || (rule && rule.refused));
  if (byId("rule").hidden) return;
  byId("rule-name").textContent = rule.name;
  const players = ["first", "second"].map((player) => {
    const color = rule.colors[player];
    return make("span", { className: "player" }, make("i", { className: `disc ${color}` }), ` ${whoText(page, player, color)}`);
  });
  byId("rule-players").replaceChildren(...players);
  const last = stepsTo(game).at(-1);
  const maker = makerOf(page, game.tree.at);
  const isTold = last && maker && !rule.refused;
  put("rule-last", isTold ? t("ruleBefore", { who: playerText(page, maker), step: stepText(last) }) : "");
  byId("rule-step").textContent = rule.refused ? refusedText(rule) : isOpen ? stepsText(page) : t("ruleOver");
  const isOurs = isOpen && (!isEngineStep(page) || game.isPaused) && !page.thinking;
  refill(byId("rule-actions"), isOurs ? rule.options.flatMap((option) => buttons(page, option)) : []);
}

function refusedText({ name, refused }) {
  return t("ruleBroken", { name, step: stepText(refused.action), reason: refused.texts[currentLanguage()] });
}

function button(page, text, step, className = "") {
  const made = make("button", { type: "button", className, textContent: text });
  made.addEventListener("click", () => makeStep(page, step));
  return made;
}

function buttons(page, option) {
  switch (option.kind) {
    case "swap":
      return [button(page, t("ruleSwap"), "swap"), button(page, t("ruleKeep"), "no swap")];
    case "take":
      return ["black", "white"].map((color) => button(page, t("ruleTake", { color: colorText(color) }), `take ${color}`));
    case "declare":
      return declareRow(page, option);
    case "offer":
      return offerRow(page, option);
    case "choose":
      return option.points.map((point, i) => button(page, fifthText(option.points, i), point, "small"));
    default:
      return [];
  }
}

function declareRow(page, { low, high }) {
  const select = make("select", { ariaLabel: t("ruleCount") });
  for (let count = low; count <= high; count += 1) select.append(make("option", { value: count, textContent: count }));
  const made = make("button", { type: "button", className: "main", textContent: t("ruleDeclare") });
  made.addEventListener("click", () => makeStep(page, `declare ${select.value}`));
  return [make("label", { className: "count" }, make("span", { textContent: t("ruleCount") }), select), made];
}

// Fifths are named by letters, as far as these go, to be told from the numbers of stones.
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const labelsOf = (points) => Object.fromEntries(points.map((point, i) => [point, LETTERS[i] || String(i + 1)]));

const fifthText = (points, i) => t("ruleFifth", { name: labelsOf(points)[points[i]], point: points[i] });

function offerRow(page, { count }) {
  const { picked } = page;
  const told = make("span", { className: "soft", textContent: t("rulePicked", { count: picked.length, all: count }) });
  const made = button(page, t("ruleOffer"), `offer ${picked.join(" ")}`, "main");
  made.disabled = picked.length !== count;
  const chips = picked.map((point, i) => {
    const chip = make("button", { type: "button", className: "small", textContent: fifthText(picked, i) });
    chip.ariaLabel = t("ruleUnpick", { point });
    chip.addEventListener("click", () => pickPoint(page, point));
    return chip;
  });
  return [told, ...chips, made];
}

// Adds to what the board shows: the fifths that are picked, and the square where a stone may go, with the stones that
// stand in it.
export function markRule(page, view) {
  const isShown = isInOpening(page) && !page.line && !page.why;
  const place = isShown && !isEngineStep(page) && page.rule.options.find(({ kind, reach }) => kind === "place" && reach !== null);
  page.board.svg.classList.toggle("rule-area", Boolean(place));
  if (!isShown) return view;
  const labels = labelsOf(page.picked);
  const heat = Object.fromEntries((place ? [...place.points, ...page.rule.moves] : []).map((point) => [point, 0]));
  return { ...view, labels: { ...view.labels, ...labels }, heat };
}

// What is to be done, in short, and the colour of who does it, for the line above the board; null outside of an opening.
export function statusOf(page) {
  if (!isInOpening(page)) return null;
  const { color } = page.rule.options[0];
  const what = page.rule.options.map((option) => t(`rule-short-${option.kind}`, option)).join(" / ");
  return { color, text: t("ruleTodo", { who: playerText(page, page.rule.player), what }) };
}

// A rule was chosen: an empty game takes it at once, else the next one.
export function offerRule(page, rule) {
  page.choices.set("rule", rule);
  if (page.game.isEmpty()) {
    page.change(() => beginRule(page.game, rule, page.game.side), true);
    return;
  }
  const [, name] = settings.rules.find(([value]) => value === rule) || [];
  toast(name ? t("ruleNext", { name }) : t("ruleNextNone"));
}
