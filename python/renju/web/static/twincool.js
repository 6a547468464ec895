// The table of Twin Cool: a game that is dealt here, or one with cards on a real table.

import { moveText, showAdvice } from "./advice.js";
import * as api from "./api.js";
import { cardsOf, ALL_CARDS, face, picker, pile } from "./cards.js";
import { Running, fail, firstChoices, listenHeader, on, showLanguage } from "./pages.js";
import { Choices, keep, kept } from "./storage.js";
import { t } from "./texts.js";
import { byId, make, options, put } from "./view.js";

const KEPT = "twincool"; // the game, as the browser keeps it
const HAND = 5;
const MOST_SEED = 2 ** 31;
const ITERATIONS = [2000, 20_000, 200_000, 1_000_000];
const SECONDS = 60; // of a search

const newSeed = () => Math.floor(Math.random() * MOST_SEED);

class Table {
  constructor() {
    this.choices = new Choices({ ...firstChoices(), advising: false, iterations: "20000" });
    showLanguage(this.choices);
    this.running = new Running(() => this.facts && this.showAdvice());
    this.changes = 0;
    this.facts = null;
    this.target = "own-hand"; // the field that chosen cards go into
  }

  // What a request carries: {seed} or {hand, piles, points}, and the moves.
  request(plays = this.plays) {
    return { ...this.start, plays };
  }

  // Begins a game; an error tells what is wrong with it, and the game before stays.
  begin(start, plays = [], future = []) {
    return this.go(plays, future, start);
  }

  // Shows the game after other moves, once the server has said what is true there.
  async go(plays, future, start = this.start) {
    const change = (this.changes += 1);
    this.running.stop();
    byId("status-text").ariaBusy = true;
    let facts = null;
    try {
      facts = await api.ask("twincool", { ...start, plays });
    } catch (error) {
      if (change === this.changes) fail(error);
    }
    if (change !== this.changes) return false;
    byId("status-text").ariaBusy = false;
    if (!facts) return false;
    put("error", "");
    Object.assign(this, { start, plays, future, facts, chosen: null, found: null });
    keep(KEPT, { start, plays, future });
    const hash = "seed" in start ? `#${start.seed}` : "";
    if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname);
    this.show();
    this.advise(); // not waited for: it takes a while
    return true;
  }

  play(move) {
    return this.go([...this.plays, move], []);
  }

  // The card that was drawn from a real deck.
  draw(card) {
    return this.go([...this.plays.slice(0, -1), `${this.facts.pending} ${card}`], []);
  }

  // The moves before the last step: on a real table a card that was told is asked for again.
  before() {
    const last = this.plays.at(-1);
    const rest = this.plays.slice(0, -1);
    const words = last.split(" ");
    return words.length === 3 ? [...rest, words.slice(0, 2).join(" ")] : rest;
  }

  undo() {
    if (this.plays.length) this.go(this.before(), [this.plays, ...this.future]);
  }

  redo() {
    const [plays, ...future] = this.future;
    if (plays) this.go(plays, future);
  }

  // A card of the hand: played at once where it fits on one pile, else the pile is asked for.
  choose(card) {
    const fitting = this.facts.moves.filter((move) => move.startsWith(`${card} `));
    if (fitting.length === 1) {
      this.play(fitting[0]);
      return;
    }
    this.chosen = this.chosen === card ? null : card;
    this.show();
    const target = this.chosen && byId("piles").querySelector("button");
    if (target) target.focus({ preventScroll: true });
  }

  async advise() {
    const { changes, facts } = this;
    this.found = null;
    this.showAdvice();
    if (!this.choices.get("advising") || !facts.moves.length) return;
    const options = { iterations: Number(this.choices.get("iterations")), time: SECONDS };
    await this.running.run("advise", { ...this.request(), ...options }, (told) => {
      if (changes !== this.changes) return;
      this.found = told;
      this.showAdvice();
    });
  }

  show() {
    const { facts, start, plays, chosen } = this;
    const isDealt = "seed" in start;
    const game = isDealt ? t("gameOfSeed", { seed: start.seed }) : t("gameOfTable");
    const text = t("tableState", { game, score: facts.score, deck: facts.deck });
    if (byId("status-text").textContent !== text) byId("status-text").textContent = text;
    const drawn = facts.pending ? null : (facts.history.at(-1) || {}).drawn;
    const fits = new Set(facts.moves.map((move) => move.split(" ")[0]));
    byId("hand").replaceChildren(...facts.hand.map((card) => {
      const button = face(card, () => this.choose(card), { disabled: !fits.has(card) });
      button.classList.toggle("new", card === drawn);
      button.setAttribute("aria-pressed", card === chosen);
      return button;
    }));
    byId("piles").replaceChildren(...facts.piles.map((cards, i) => {
      const move = `${chosen} ${i + 1}`;
      return pile(cards, i, chosen && facts.moves.includes(move) ? () => this.play(move) : null);
    }), deckOf(facts.deck));
    byId("undo").disabled = !plays.length;
    byId("redo").disabled = !this.future.length;
    byId("ask").hidden = !facts.pending;
    if (facts.pending) {
      byId("ask-text").textContent = t("whichDrawn", { move: moveText(facts.pending) });
      picker(byId("unseen"), facts.unseen, (card) => this.draw(card));
      byId("drawn").value = "";
    }
    this.showResult();
    byId("history").replaceChildren(...facts.history.map(({ move, drawn: card, points }) => {
      const words = [moveText(move), card ? t("drew", { card }) : "", points ? t("gained", { points }) : ""];
      return make("li", { textContent: words.filter(Boolean).join(" · ") });
    }));
    this.showAdvice();
  }

  showResult() {
    const { is_over: isOver, played, points, score } = this.facts;
    byId("result").hidden = !isOver;
    if (isOver) byId("result").textContent = t("gameOver", { played, points, score });
  }

  showAdvice() {
    const isRunning = Boolean(this.running.search);
    showAdvice(this.found, isRunning, (move) => this.play(move));
    byId("advise").checked = this.choices.get("advising");
    byId("go").disabled = isRunning || !this.facts.moves.length || !this.choices.get("advising");
    byId("halt").disabled = !isRunning;
  }

  showAll() {
    options("most", ITERATIONS.map((count) => [String(count), count.toLocaleString(document.documentElement.lang)]), this.choices.get("iterations"));
    byId("seed").placeholder = t("anySeed");
    picker(byId("own-cards"), ALL_CARDS, (card) => this.pick(card));
    this.show();
  }

  // A card for the field that was used last: chosen again, it goes out.
  pick(card) {
    const input = byId(this.target);
    const cards = input.value.toUpperCase().split(/[\s,]+/).filter(Boolean);
    input.value = (cards.includes(card) ? cards.filter((one) => one !== card) : [...cards, card]).join(" ");
  }

  deal() {
    const text = byId("seed").value.trim();
    if (text && !/^\d+$/.test(text)) {
      fail(new Error(t("seedIsNumber")));
      return;
    }
    byId("seed").value = "";
    this.begin({ seed: text ? Number(text) : newSeed() });
  }

  beginOwn() {
    try {
      const [hand, ...piles] = ["own-hand", "own-pile-1", "own-pile-2"].map((id) => cardsOf(byId(id).value));
      const [twice] = piles.flat().filter((card, i, all) => hand.includes(card) || all.indexOf(card) !== i);
      if (twice) throw new Error(t("cardTwice", { card: twice }));
      if (hand.length !== HAND) throw new Error(t("handOfFive"));
      const points = byId("own-points").value.trim();
      if (points && !/^\d+$/.test(points)) throw new Error(t("pointsAreNumber"));
      const start = { hand: hand.join(" "), piles: piles.map((cards) => cards.join(" ")), ...(points ? { points: Number(points) } : {}) };
      this.begin(start);
    } catch (error) {
      fail(error);
    }
  }

  readDrawn() {
    try {
      const [card, ...more] = cardsOf(byId("drawn").value);
      if (card && !more.length) this.draw(card);
    } catch (error) {
      fail(error);
    }
  }

  listen() {
    listenHeader(this.choices, () => this.showAll());
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("deal", () => this.deal());
    on("own-begin", () => this.beginOwn());
    on("drawn-read", () => this.readDrawn());
    for (const [id, action] of [["seed", () => this.deal()], ["drawn", () => this.readDrawn()]]) {
      on(id, (event) => {
        if (event.key === "Enter") action();
      }, "keydown");
    }
    for (const id of ["own-hand", "own-pile-1", "own-pile-2"]) on(id, () => (this.target = id), "focus");
    on("go", () => this.advise());
    on("halt", () => api.ask("stop", { tab: api.tab }).catch(fail));
    on("advise", () => {
      this.choices.set("advising", byId("advise").checked);
      this.running.stop();
      this.advise();
    }, "change");
    on("most", () => {
      this.choices.set("iterations", byId("most").value);
      this.advise();
    }, "change");
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("hashchange", () => this.followLink());
  }

  onKey(event) {
    if (event.target.closest("input:not([type=checkbox]), select") || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const card = /^[1-5]$/.test(event.key) && byId("hand").children[Number(event.key) - 1];
    if (isCommand && event.key.toLowerCase() === "z") byId(event.shiftKey ? "redo" : "undo").click();
    else if (isCommand) return;
    else if (card) card.click();
    else if (event.key === "a") byId("advise").click();
    else if (event.key === "u") byId("undo").click();
    else if (event.key === "Escape") this.putBack();
    else return;
    event.preventDefault();
  }

  putBack() {
    put("error", "");
    this.chosen = null;
    this.show();
  }

  // The seed of the address, null if it has none.
  linked() {
    const code = location.hash.slice(1);
    return /^\d{1,15}$/.test(code) ? Number(code) : null;
  }

  followLink() {
    const seed = this.linked();
    if (seed !== null && seed !== this.start.seed) this.begin({ seed });
  }

  // Goes on with the game before a reload, unless the address names another.
  async open() {
    this.listen();
    const stored = kept(KEPT);
    const seed = this.linked();
    const isSame = stored && stored.start && (seed === null || seed === stored.start.seed);
    const isOpen = isSame && (await this.begin(stored.start, stored.plays, stored.future));
    if (!isOpen) await this.begin({ seed: seed === null ? newSeed() : seed });
    if (this.facts) this.showAll();
    document.body.classList.remove("loading");
  }
}

// The deck, as a card that lies face down.
function deckOf(count) {
  const back = make("span", { className: "face back" }, make("b", { textContent: count }));
  return make("div", { className: "pile deck" }, make("span", { className: "soft", textContent: t("deck") }), make("div", { className: "stack" }, back));
}

new Table().open();
