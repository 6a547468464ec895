// The page: what a person does, and what follows.

import * as api from "./api.js";
import { fillControls, listen } from "./controls.js";
import { Files } from "./files.js";
import { Choices, Game } from "./game.js";
import { marks, showCandidates, showLine, verdictText } from "./lines.js";
import { isReviewOf, showReview } from "./review.js";
import { currentLanguage, errorText, preferredLanguage, setLanguage, settings, t } from "./texts.js";
import { boardView, byId, colorText, put, showFouls, showMoves, showStatus, showWhy } from "./view.js";

const SELF_PLAY_PAUSE = 300; // ms between two moves of the engine, so that they can be followed
const ANALYSE_PAUSE = 150; // ms that a position must stay before it is analysed

const wait = (time) => new Promise((done) => setTimeout(done, time));

class Page {
  constructor() {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    this.choices = new Choices({
      language: preferredLanguage(),
      side: "black",
      level: settings.default_level,
      time: "",
      numbers: true,
      forbidden: true,
      taps: isTouch,
    });
    // What the command line says is newer than what was chosen before it was started.
    if (settings.level && this.choices.get("start") !== settings.start) this.choices.set("level", settings.level);
    this.choices.set("start", settings.start);
    setLanguage(this.choices.get("language"));
    this.game = new Game(this.choices.get("side"));
    this.facts = { stones: [], turn: "black", outcome: null, forbidden: {}, opening: null };
    this.isAnalysing = false;
    this.search = null; // what stops the search that runs
    this.thinking = false;
    this.found = null; // candidates of the position
    this.proof = null; // what a solver said of it
    this.review = null; // of the game
    this.reviewing = null; // the moves that are being reviewed
    this.line = this.hint = this.why = this.chosen = null;
    this.changes = 0;
    this.board = new window.RenjuBoard(document.querySelector(".renju-board"), {
      onPoint: (point) => this.onPoint(point),
    });
    this.files = new Files({
      open: (facts) => this.open(facts),
      record: () => this.game.record(),
      fail: (error) => this.fail(error),
    });
  }

  // Is it the engine's turn at the end of the game?
  isEngineNext() {
    const { game } = this;
    const { side } = game;
    return side !== "both" && game.isAtEnd() && !this.facts.outcome && game.turn() !== side;
  }

  // The position has changed: ask for its facts, show it, then go on.
  async refresh() {
    const change = (this.changes += 1);
    // A review goes on while one looks about in the game.
    if (this.reviewing !== this.game.moves.join(" ")) this.stopSearch();
    this.found = this.proof = this.line = this.hint = this.why = this.chosen = null;
    this.showVerdict();
    try {
      const facts = await api.ask("position", this.game.position());
      if (change !== this.changes) return;
      this.facts = facts;
    } catch (error) {
      if (change === this.changes) this.fail(error);
      return;
    }
    this.game.store();
    this.show();
    this.goOn(change); // not waited for: it may take long
  }

  async goOn(change) {
    if (!this.isEngineNext() || this.game.isPaused) {
      await this.analyse();
      return;
    }
    if (this.game.side === "none" && this.game.at) await wait(SELF_PLAY_PAUSE);
    if (change === this.changes && !this.game.isPaused) await this.think();
  }

  async change(action) {
    put("message", "");
    action();
    this.showControls(); // at once: the next key or click may come before the facts
    await this.refresh();
  }

  stopSearch() {
    if (this.search) this.search.abort();
    this.search = null;
    this.thinking = false;
    this.depth = 0;
  }

  // Runs a search; null if it was left or failed.
  async run(name, data, tell) {
    this.stopSearch();
    const search = (this.search = new AbortController());
    this.showControls();
    try {
      const result = await api.search(name, data, search.signal, tell);
      return search.signal.aborted ? null : result;
    } catch (error) {
      if (!search.signal.aborted) this.fail(error);
      return null;
    } finally {
      if (this.search === search) {
        this.stopSearch();
        this.showControls();
      }
    }
  }

  async think() {
    const time = Number(this.choices.get("time")) || null;
    const data = { ...this.game.position(), level: this.choices.get("level"), time, seed: this.game.seed };
    const running = this.run("play", data, (told) => {
      this.depth = told.depth;
      this.showStatus();
    });
    this.thinking = true;
    this.show();
    const change = this.changes;
    const result = await running;
    if (result && change === this.changes) {
      this.game.play(result.move);
      await this.refresh();
      if (result.move !== "pass") this.board.say(this.board.describe(result.move));
    } else if (change === this.changes) {
      this.game.isPaused = true; // it failed: no new try unasked
      this.show();
    }
  }

  async analyse() {
    if (!this.isAnalysing || this.facts.outcome) return;
    const change = this.changes;
    await wait(ANALYSE_PAUSE);
    if (change !== this.changes || this.search || !this.isAnalysing) return;
    const tell = (told) => {
      this.found = told;
      this.showAnalysis();
    };
    await this.run("analyse", { ...this.game.position(), multipv: 5 }, tell);
  }

  async solve(kind, color) {
    if (this.facts.outcome) return;
    this.proof = this.line = this.why = null;
    const names = { kind: t(kind), who: colorText(color) };
    put("verdict", t("solving", names));
    const change = this.changes;
    const running = this.run("solve", { ...this.game.position(), kind, color });
    this.show();
    const proof = await running;
    if (change !== this.changes) return;
    this.proof = proof;
    this.showVerdict();
    if (proof && proof.verified) this.setLine(proof.line, color, proof);
    else this.show();
    await this.analyse();
  }

  showVerdict() {
    const { proof } = this;
    put("verdict", proof ? verdictText(proof, this.facts.turn) : "");
    byId("verdict").className = `verdict ${proof ? proof.status : ""}`;
  }

  setLine(moves, color, proof = null, branch = 0) {
    this.line = moves && { moves, color, proof, branch, at: moves.length };
    this.why = this.chosen = this.hint = null;
    this.show();
  }

  lineTo(at) {
    this.line.at = Math.min(Math.max(at, 0), this.line.moves.length);
    this.show();
  }

  // A point of the board was chosen.
  async onPoint(point) {
    const { facts } = this;
    if (facts.outcome) return;
    if (facts.stones.some((stone) => stone.point === point)) {
      this.board.say(t("occupied", { point }));
      return;
    }
    if (this.isEngineNext()) {
      this.board.say(t("engineTurn"));
      return;
    }
    if (facts.turn === "black" && facts.forbidden[point]) {
      await this.explain(point);
    } else if (this.choices.get("taps") && this.chosen !== point) {
      this.chosen = point;
      this.line = this.why = null;
      this.show();
    } else {
      await this.play(point);
    }
  }

  async play(point) {
    this.game.isPaused = false;
    await this.change(() => this.game.play(point));
  }

  async explain(point) {
    const change = this.changes;
    try {
      // Of a stone that has lost the game, the position before it tells why.
      const count = this.facts.outcome ? this.game.at - 1 : this.game.at;
      const why = await api.ask("explain", { ...this.game.position(count), point });
      if (change !== this.changes) return;
      this.line = this.chosen = null;
      this.why = why;
      this.show();
      byId("why").scrollIntoView({ block: "nearest" });
      this.board.say(why.texts[currentLanguage()]);
    } catch (error) {
      this.fail(error);
    }
  }

  open(facts) {
    this.change(() => this.game.open(facts));
  }

  fail(error) {
    put("message", errorText(error));
    byId("message").classList.add("bad");
    byId("problems").hidden = true;
  }

  // Shows all of it.
  show() {
    const { game, facts } = this;
    this.showStatus();
    this.showBoard();
    showMoves(game, (count) => this.change(() => game.goTo(count)));
    if (!isReviewOf(this.review, game)) this.review = null;
    if (this.reviewing === null) showReview(this.review, game);
    showFouls(facts, this.choices.get("forbidden"), (point) => this.explain(point));
    showWhy(this.why, facts.turn === "black" && !this.isEngineNext() && !facts.outcome);
    const { line } = this;
    const choose = (branch) => this.setLine(line.proof.lines[branch].moves, line.color, line.proof, branch);
    showLine(line, facts.turn, (at) => this.lineTo(at), choose);
    this.showAnalysis();
    this.showControls();
  }

  showStatus() {
    const { facts, game, thinking, depth } = this;
    const isWaiting = game.isPaused && this.isEngineNext();
    showStatus({ facts, side: game.side, isThinking: thinking, isWaiting, depth });
  }

  showBoard() {
    const line = this.line || (this.hint && { moves: this.hint, color: this.facts.turn, at: this.hint.length });
    const candidates = this.isAnalysing ? marks(this.found) : [];
    this.board.show(boardView({ ...this, choices: this.choices, candidates, line }));
  }

  showAnalysis() {
    const { turn } = this.facts;
    const hint = (moves) => {
      this.hint = moves;
      this.showBoard();
    };
    showCandidates(this.isAnalysing ? this.found : null, turn, hint, (moves) => this.setLine(moves, turn));
    this.showBoard();
  }

  showControls() {
    const { game, facts, thinking, chosen } = this;
    const isOver = Boolean(facts.outcome);
    for (const id of ["first", "previous"]) byId(id).disabled = game.at === 0;
    byId("back").disabled = game.backTo(game.side) === game.at;
    for (const id of ["next", "last", "redo"]) byId(id).disabled = game.isAtEnd();
    byId("side").value = game.side;
    byId("swap").disabled = !["black", "white"].includes(game.side);
    byId("go").textContent = t(thinking ? "moveNow" : "engineMove");
    byId("go").disabled = isOver;
    byId("go").classList.toggle("main", thinking || (game.isPaused && this.isEngineNext()));
    byId("new").classList.toggle("main", isOver && game.isAtEnd());
    byId("halt").disabled = !this.search && !(game.side === "none" && !this.game.isPaused);
    byId("review").disabled = !game.moves.length || thinking || this.reviewing !== null;
    byId("pass").disabled = isOver || thinking || game.at < 3;
    for (const button of document.querySelectorAll("[data-solve]")) button.disabled = isOver || thinking;
    byId("confirm").hidden = !chosen;
    if (chosen) {
      byId("confirm-text").textContent = t("confirm", { point: chosen });
      byId("confirm-yes").textContent = t("yes", { point: chosen });
    }
  }

  // The engine moves for the side to move; from an earlier position the game goes on from there.
  async go() {
    this.game.isPaused = false;
    this.changes += 1;
    await this.think();
  }

  async playLine() {
    const moves = this.line.moves.slice(0, this.line.at);
    this.game.isPaused = true; // a line that was put there is not answered unasked
    await this.change(() => moves.forEach((move) => this.game.play(move)));
  }

  async setSide(side) {
    this.choices.set("side", side);
    this.game.side = side;
    this.game.isPaused = false;
    await this.refresh();
  }

  async setAnalysing(isOn) {
    this.isAnalysing = isOn;
    if (!isOn && !this.thinking && this.reviewing === null) this.stopSearch();
    this.found = null;
    this.show();
    if (!this.thinking) await this.analyse();
  }

  setLanguage(language) {
    this.choices.set("language", language);
    setLanguage(language);
    fillControls(this);
    this.files.show();
    this.showVerdict();
    this.show();
  }

  async start() {
    fillControls(this);
    listen(this);
    if (!this.game.restore() && settings.game) {
      this.files.found = { name: settings.game.headers.event || "", games: [settings.game], count: 1 };
      this.files.choose(0);
      return;
    }
    await this.refresh();
  }
}

new Page().start();
