// The games of this tab: the one that is shown, and what can be undone. Nothing is ever thrown away: a new game or a
// file takes the place of the old one, which can be brought back.

import { gameKey, readGame, readTab, storedGames, writeGame, writeTab } from "./storage.js";
import { History, Tree, other } from "./tree.js";

const LARGE = 3000; // nodes, from which on storing waits until things are quiet
const STORE_PAUSE = 800; // ms

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (n) => n.toString(36)).join("");

// A game with all that belongs to it.
export class Game {
  constructor(facts = {}) {
    this.id = facts.id || newId();
    this.tree = facts.nodes ? Tree.from(facts.nodes, facts.at) : new Tree();
    this.setup = facts.setup || null; // {black, white, turn}
    this.goesOn = Boolean(facts.goesOn); // a record that goes on after the end
    this.headers = facts.headers || {};
    this.result = facts.result || "";
    this.side = facts.side || "both"; // black, white, both or none: whose moves a person makes
    this.person = facts.person || "both"; // in an opening by a rule: first, second, both or none is the person
    this.isPaused = Boolean(facts.isPaused); // the engine waits until it is asked
    this.seed = facts.seed ?? Math.floor(Math.random() * 2 ** 31); // decides where a level plays at random
    this.review = facts.review || null; // {moves, ...} of one line
    this.clock = facts.clock || null; // {black, white}: seconds left
    this.time = facts.time || Date.now();
  }

  // A game from a file.
  static fromFile(facts) {
    const tree = facts.tree ? Tree.fromFile(facts.tree) : Tree.fromMoves(facts.moves);
    let end = tree.root;
    while (end.children.length) [end] = end.children;
    tree.goTo(end);
    return Object.assign(new Game({ ...facts, goesOn: true, side: "both" }), { tree });
  }

  plain() {
    const { tree, ...rest } = this;
    return { ...rest, nodes: tree.flat(), at: tree.at.id };
  }

  isEmpty() {
    const { tree, setup } = this;
    return tree.nodes.size === 1 && !tree.root.comment && !tree.root.labels && !setup;
  }

  // What the server is sent of a position.
  position(moves = this.tree.moves()) {
    return { moves, setup: this.setup, goes_on: this.goesOn };
  }

  // All of it, to be saved.
  record() {
    const { headers, result } = this;
    let end = this.tree.root;
    while (end.children.length) [end] = end.children;
    return { ...this.position(this.tree.moves(end)), headers, result, tree: this.tree.toFile() };
  }

  firstColor() {
    return this.setup ? this.setup.turn : "black";
  }

  // The side to move after some moves.
  turn(count = this.tree.moves().length) {
    return count % 2 ? other(this.firstColor()) : this.firstColor();
  }

  // The stones after some moves, the set-up first.
  stones(moves = this.tree.moves()) {
    const stones = [];
    for (const color of ["black", "white"]) {
      for (const point of this.setup ? this.setup[color] : []) stones.push({ point, color });
    }
    moves.forEach((point, i) => {
      if (point !== "pass") stones.push({ point, color: this.turn(i), number: i + 1 });
    });
    return stones;
  }
}

export class Workspace {
  // `onLost` is called when the browser cannot keep the game.
  constructor(side, onLost) {
    this.game = new Game({ side });
    this.history = new History();
    this.closed = new Map(); // games that undo may bring back, where the browser stores nothing
    this.onLost = onLost;
    this.timer = 0;
    window.addEventListener("storage", (event) => {
      // A copy of this tab has changed the same game: from here on they are two.
      if (event.key === gameKey(this.game.id)) this.fork();
    });
    window.addEventListener("pagehide", () => this.store());
  }

  // The game gets a name of its own.
  fork() {
    const [old, id] = [this.game.id, newId()];
    this.game.id = id;
    for (const entry of [...this.history.past, ...this.history.future]) {
      if (entry.kind !== "game") continue;
      if (entry.old === old) entry.old = id;
      if (entry.value === old) entry.value = id;
    }
  }

  // The game of this tab before a reload; false if there is none.
  restore() {
    const tab = readTab();
    const stored = tab && readGame(tab.game);
    if (!stored) return false;
    this.game = new Game(stored);
    this.history = new History(tab);
    return tab.start;
  }

  // Does something to the tree that can be undone.
  change(operation) {
    if (!operation) return;
    const last = this.history.past.at(-1);
    const isSame = operation.kind === "set" && last && last.kind === "set" && !last.isClosed;
    if (isSame && last.node === operation.node && last.name === operation.name && operation.name === "comment") {
      this.history.past.pop(); // letters of one comment are one change
      operation.old = last.old;
    }
    this.history.add(operation);
  }

  // Ends a comment: what is written next is another change.
  closeChange() {
    const last = this.history.past.at(-1);
    if (last) last.isClosed = true;
  }

  // Shows another game; the one before can be brought back.
  open(game) {
    this.history.add({ kind: "game", old: this.game.id, value: game.id });
    this.show(game);
  }

  show(game) {
    this.store();
    this.closed.set(this.game.id, this.game.plain());
    this.game = game;
  }

  bring(id) {
    const stored = readGame(id) || this.closed.get(id);
    if (stored) this.show(new Game(stored));
  }

  undo() {
    const entry = this.history.back();
    if (entry && entry.kind === "game") this.bring(entry.old);
    else if (entry) this.game.tree.undo(entry);
  }

  redo() {
    const entry = this.history.forth();
    if (entry && entry.kind === "game") this.bring(entry.value);
    else if (entry) this.game.tree.redo(entry);
  }

  // Soon for a large tree, at once for others.
  storeSoon(start) {
    this.start = start;
    clearTimeout(this.timer);
    if (this.game.tree.nodes.size < LARGE) this.store();
    else this.timer = setTimeout(() => this.store(), STORE_PAUSE);
  }

  store() {
    clearTimeout(this.timer);
    const { game, history } = this;
    const games = [...history.past, ...history.future].filter(({ kind }) => kind === "game");
    const needed = new Set(games.flatMap(({ old, value }) => [old, value]));
    const isKept = writeGame({ ...game.plain(), time: Date.now() }, needed);
    writeTab({ ...history, game: game.id, start: this.start });
    if (!isKept) this.onLost();
  }

  // Stored games but this one, the newest first; empty ones are none.
  others() {
    return storedGames().filter(({ id, nodes, setup }) => id !== this.game.id && (nodes.length > 1 || setup));
  }
}
