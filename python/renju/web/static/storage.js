// What the browser remembers. Games are kept for all tabs, each under a key of its own; a tab knows which one it shows
// and what can be undone. The file of a review keeps nothing: it stays what it is.

import { settings } from "./texts.js";

const CHOICES = "renju.choices";
const TAB = "renju.tab";
const GAME = "renju.game.";
const MOST_GAMES = 60; // the oldest make room
const IS_KEPT = !settings.report;

// A browser may forbid all storage; then nothing outlives the page.
function attempt(action, instead) {
  try {
    return action();
  } catch {
    return instead;
  }
}

const read = (storage, key) => attempt(() => IS_KEPT && JSON.parse(window[storage].getItem(key)), null);

const write = (storage, key, value) => !IS_KEPT || attempt(() => {
  window[storage].setItem(key, JSON.stringify(value));
  return true;
}, false);

// What a person chose once and for all games.
export class Choices {
  constructor(defaults) {
    this.values = { ...defaults, ...read("localStorage", CHOICES) };
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    write("localStorage", CHOICES, this.values);
  }
}

// What the other pages keep, each under a name of its own. `keep` is false if the browser has no room or forbids it.
export const kept = (name) => read("localStorage", `renju.${name}`);
export const keep = (name, value) => write("localStorage", `renju.${name}`, value);

export const readTab = () => read("sessionStorage", TAB);
export const writeTab = (value) => write("sessionStorage", TAB, value);
export const gameKey = (id) => GAME + id;
export const readGame = (id) => read("localStorage", gameKey(id));

const gameKeys = () => attempt(() => (IS_KEPT ? Object.keys(window.localStorage) : []), []).filter((key) => key.startsWith(GAME));

// All stored games, the newest first.
export function storedGames() {
  const games = gameKeys().map((key) => read("localStorage", key)).filter((game) => game && game.id && game.nodes);
  return games.sort((a, b) => b.time - a.time);
}

// Stores a game; old ones that nobody needs make room. False if the browser has no room or forbids it.
export function writeGame(game, needed) {
  const isWritten = () => write("localStorage", gameKey(game.id), game);
  if (gameKeys().length <= MOST_GAMES && isWritten()) return true;
  const old = storedGames().filter(({ id }) => id !== game.id && !needed.has(id));
  for (const { id } of old.splice(MOST_GAMES)) forgetGame(id);
  while (!isWritten()) {
    if (!old.length) return false;
    forgetGame(old.pop().id);
  }
  return true;
}

const forgetGame = (id) => attempt(() => window.localStorage.removeItem(gameKey(id)));
