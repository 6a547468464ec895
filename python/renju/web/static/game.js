// The game of this tab: moves, where we look, who plays. It knows nothing of the page.

import { settings } from "./texts.js";

export const other = (color) => (color === "black" ? "white" : "black");

// A browser may forbid all storage; then nothing is remembered.
function read(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key)) || {};
  } catch {
    return {};
  }
}

function write(storage, key, value) {
  try {
    window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page works without.
  }
}

const CHOICES = "renju.choices";
const GAME = "renju.game";

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

export class Game {
  constructor(side) {
    this.side = side; // black, white, both or none: whose moves a person makes
    this.clear();
  }

  clear() {
    this.setup = null; // {black, white, turn}
    this.moves = []; // all of them, also those behind the place we look at
    this.at = 0; // moves on the board
    this.goesOn = false; // a record that goes on after the end
    this.headers = {};
    this.result = "";
    this.comments = {};
    this.isPaused = false; // the engine waits until it is asked
    // Decides where a level plays at random.
    this.seed = Math.floor(Math.random() * 2 ** 31);
  }

  // What the server is sent.
  position(count = this.at) {
    return { moves: this.moves.slice(0, count), setup: this.setup, goes_on: this.goesOn };
  }

  record() {
    const comments = Object.entries(this.comments).filter(([number]) => Number(number) <= this.moves.length);
    return {
      ...this.position(this.moves.length),
      headers: this.headers,
      result: this.result,
      comments: Object.fromEntries(comments),
    };
  }

  firstColor() {
    return this.setup ? this.setup.turn : "black";
  }

  // Who moves after so many moves.
  turn(count = this.at) {
    return count % 2 ? other(this.firstColor()) : this.firstColor();
  }

  isAtEnd() {
    return this.at === this.moves.length;
  }

  // A move here; what followed is gone.
  play(point) {
    if (!this.isAtEnd()) {
      this.result = "";
      this.goesOn = false;
      for (const number of Object.keys(this.comments)) if (Number(number) > this.at) delete this.comments[number];
    }
    this.moves = [...this.moves.slice(0, this.at), point];
    this.at += 1;
  }

  goTo(count) {
    this.at = Math.min(Math.max(count, 0), this.moves.length);
  }

  // Where a take-back leads: before the last move, and if that is the engine's turn, before the one before.
  // Where we are, if there is nothing of ours to take back.
  backTo(side) {
    let count = this.at - 1;
    if (side !== "both" && side !== "none" && this.turn(count) !== side) count -= 1;
    return count < 0 ? this.at : count;
  }

  forwardTo(side) {
    let count = this.at + 1;
    if (side !== "both" && side !== "none" && count < this.moves.length && this.turn(count) !== side) count += 1;
    return Math.min(count, this.moves.length);
  }

  // A game from a file.
  open(facts) {
    this.clear();
    this.setup = facts.setup;
    this.moves = facts.moves;
    this.at = facts.moves.length;
    this.goesOn = facts.goes_on;
    this.headers = facts.headers;
    this.result = facts.result;
    this.comments = facts.comments;
    this.side = "both"; // it is looked at first
  }

  // Reloading the page keeps the game; another tab has its own.
  store() {
    write("sessionStorage", GAME, { ...this, start: settings.start });
  }

  // The stored game; one of an earlier server does not hide the file that this one was started with.
  restore() {
    const { start, ...stored } = read("sessionStorage", GAME);
    if (!start || (settings.game && start !== settings.start)) return false;
    Object.assign(this, stored);
    return true;
  }
}
