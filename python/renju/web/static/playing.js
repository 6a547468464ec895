// Games against the engine: whose turn it is, and its thinking.

import * as api from "./api.js";
import { backInOpening, beginRule, decide, isEngineStep, isInOpening, isRuled, ruleOf, setPerson } from "./rules.js";
import { settings } from "./texts.js";
import { Game } from "./workspace.js";

// Is it the engine's turn at the end of a line?
export function isEngineNext(page) {
  if (isRuled(page)) return isEngineStep(page);
  const { game, facts } = page;
  return game.side !== "both" && !game.tree.at.children.length && !facts.outcome && facts.turn !== game.side;
}

export async function think(page) {
  if (isInOpening(page)) return decide(page);
  const { game, choices } = page;
  const level = choices.get("level");
  const time = (settings.timed_levels.includes(level) && Number(choices.get("time"))) || null;
  const running = page.run("play", { ...game.position(), level, time, seed: game.seed }, (told) => {
    page.depth = told.depth;
    page.showStatus();
  });
  page.thinking = true;
  page.show();
  const change = page.changes;
  const result = await running;
  if (result && change === page.changes) {
    await page.play(result.move);
    if (result.move !== "pass") page.board.say(page.board.describe(result.move));
  } else if (change === page.changes) {
    game.isPaused = true; // it failed: no new try unasked
    page.show();
  }
}

// The engine moves for the side to move; from an earlier position it makes a variation.
export async function go(page) {
  if (page.thinking) {
    await api.ask("stop", { tab: api.tab }).catch((error) => page.fail(error));
    return;
  }
  page.game.isPaused = false;
  page.changes += 1;
  await think(page);
}

export function halt(page) {
  page.game.isPaused = true;
  page.stopSearch();
  if (page.isAnalysing) page.setAnalysing(false);
  else page.show();
}

export function setSide(page, side) {
  page.choices.set("side", side);
  page.game.side = side;
  if (ruleOf(page.game)) setPerson(page, side);
  page.game.isPaused = false;
  page.refresh(true);
}

export function newGame(page) {
  const side = page.choices.get("side");
  const minutes = Number(page.choices.get("clock"));
  const clock = minutes ? { black: 60 * minutes, white: 60 * minutes } : null;
  const isFresh = page.game.isEmpty();
  const rule = page.choices.get("rule");
  page.files.found = null;
  page.change(() => {
    if (isFresh) Object.assign(page.game, { side, clock, isPaused: false });
    else page.space.open(new Game({ side, clock }));
    beginRule(page.game, rule, side);
  }, true);
  return !isFresh;
}

// Where a take-back leads: before the last move, and if that is the engine's turn, before the one before. Null if there
// is nothing of ours to take back.
export function backTo(page) {
  const { game } = page;
  if (ruleOf(game)) return backInOpening(page);
  const { tree, side } = game;
  const isOurs = (node) => side === "both" || side === "none" || game.turn(tree.moves(node).length) === side;
  let node = tree.at.parent;
  while (node && !isOurs(node)) node = node.parent;
  return node;
}

export function forwardTo({ game }) {
  const { tree, side } = game;
  if (ruleOf(game)) return tree.next();
  const isOurs = (node) => side === "both" || side === "none" || game.turn(tree.moves(node).length) === side;
  let node = tree.next();
  while (node && !isOurs(node) && tree.next(node)) node = tree.next(node);
  return node;
}

// Puts the shown part of a line into the tree as a variation.
export function keepLine(page) {
  const { game, line } = page;
  game.isPaused = true; // a line that was put there is not answered unasked
  page.change(() => {
    for (const move of line.moves.slice(0, line.at)) page.space.change(game.tree.play(move));
  });
}
