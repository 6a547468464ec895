// The page: what a person does, and what follows.

import { marks, outcomeValue, showBar, showCandidates, showLine, valueOf, walkTo } from "./analysis.js";
import * as api from "./api.js";
import { Clock } from "./clock.js";
import { fillControls, listen, showControls } from "./controls.js";
import { Files } from "./files.js";
import { showGraph } from "./graph.js";
import { showMoves } from "./movelist.js";
import { showBook } from "./openings.js";
import { isEngineNext, think } from "./playing.js";
import { isDefence, showProof, showVerdict, solve, tryDefence } from "./proofs.js";
import { chooseInReport, showRow, startReport } from "./report.js";
import { showReview, signsOf } from "./review.js";
import { askRule, isInOpening, knownRule, markRule, pickPoint, playByRule, showRule, statusOf, takeRule } from "./rules.js";
import { codeOf } from "./share.js";
import { knock } from "./sound.js";
import { Choices } from "./storage.js";
import { showSure, sureMarks } from "./sure.js";
import { currentLanguage, errorText, preferredLanguage, setLanguage, settings, t } from "./texts.js";
import { boardView, byId, colorText, put, showFouls, showStatus, showWhy, toast } from "./view.js";
import { Workspace } from "./workspace.js";

const SELF_PLAY_PAUSE = 300; // ms between two moves of the engine, so that they can be followed
const ANALYSE_PAUSE = 60; // ms that a position must stay before it is analysed
const DEEPER_SECONDS = 300;
const MOST_FACTS = 500; // positions whose facts are kept

const wait = (time) => new Promise((done) => setTimeout(done, time));

class Page {
  constructor() {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    this.choices = new Choices({
      language: preferredLanguage(),
      ...{ side: "black", level: settings.default_level, time: "", clock: "", rule: "" },
      ...{ numbers: true, forbidden: true, taps: isTouch, sound: false, points: false },
      ...{ analysing: false, multipv: "5", threads: "1", tab: "moves" },
    });
    // What the command line says is newer than what was chosen before it was started.
    if (settings.level && this.choices.get("start") !== settings.start) this.choices.set("level", settings.level);
    this.choices.set("start", settings.start);
    setLanguage(this.choices.get("language"));
    this.space = new Workspace(this.choices.get("side"), () => this.tellLost());
    this.known = new Map(); // facts by position
    this.facts = this.guess();
    this.isAnalysing = this.choices.get("analysing");
    this.search = null; // what stops the search that runs
    this.thinking = this.isMarking = false;
    this.attack = null; // {kind}: the next point is an attack to try
    this.reviewing = this.rule = null; // the state of an opening by a rule
    this.changes = 0;
    this.forget();
    this.board = new window.RenjuBoard(document.querySelector(".renju-board"), {
      onPoint: (point) => this.onPoint(point),
    });
    this.files = new Files(this);
    const isRunning = () => !this.facts.outcome && this.game.tree.at.move && !this.game.isPaused && !this.game.tree.next() && !isInOpening(this);
    const state = () => ({ clock: this.game.clock, turn: this.facts.turn, isRunning: isRunning() });
    this.clock = new Clock(state, (color) => toast(t("timeIsUp", { who: colorText(color) })));
  }

  get game() {
    return this.space.game;
  }

  // What was found of the position before.
  forget() {
    this.found = this.proof = this.line = this.hint = this.why = this.chosen = null;
    this.picked = []; // fifths to be offered
  }

  // What is known of a position without asking.
  guess() {
    return { turn: this.game.turn(), outcome: null, forbidden: {}, opening: null };
  }

  // What the server says of a position; asked once.
  async factsOf(moves = this.game.tree.moves()) {
    const position = this.game.position(moves);
    const key = JSON.stringify(position);
    if (!this.known.has(key)) {
      if (this.known.size >= MOST_FACTS) this.known.clear();
      this.known.set(key, await api.ask("position", position));
    }
    return this.known.get(key);
  }

  // The position has changed: show it at once, ask for its facts, then go on.
  async refresh(mayReply = false) {
    const change = (this.changes += 1);
    // A review goes on while one looks about in the game.
    if (!this.reviewing || this.game.review !== this.reviewing) this.stopSearch();
    this.forget();
    showVerdict(null);
    this.space.storeSoon(settings.start);
    takeRule(this, knownRule(this));
    const known = this.rule === undefined ? null : this.known.get(JSON.stringify(this.game.position()));
    this.facts = known || { ...this.guess(), isGuess: true };
    this.show();
    this.ready = known ? Promise.resolve(true) : this.settle(change);
    if (!(await this.ready)) return;
    this.goOn(change, mayReply); // not waited for: it may take long
  }

  // Waits for the facts; false if they did not come or the position has changed again.
  async settle(change) {
    try {
      const [facts, rule] = await Promise.all([this.factsOf(), askRule(this)]);
      if (change !== this.changes) return false;
      takeRule(this, rule);
      this.facts = facts;
    } catch (error) {
      if (change === this.changes) {
        this.facts.hasFailed = true;
        this.showStatus();
        this.fail(error);
      }
      return false;
    }
    if (this.facts.outcome) this.game.tree.at.value = outcomeValue(this.facts.outcome);
    this.show();
    return true;
  }

  async goOn(change, mayReply) {
    if (!mayReply || !isEngineNext(this) || this.game.isPaused) {
      this.lookAhead();
      await this.analyse();
      return;
    }
    if (this.game.side === "none" && this.game.tree.at.move) await wait(SELF_PLAY_PAUSE);
    if (change === this.changes && !this.game.isPaused) await think(this);
  }

  // The facts of the positions beside this one, so that a step shows all at once.
  lookAhead() {
    const { tree } = this.game;
    for (const node of [tree.next(), tree.at.parent]) if (node) this.factsOf(tree.moves(node)).catch(() => {});
  }

  // Does something to the game, then shows it.
  async change(action, mayReply = false) {
    put("message", "");
    put("error", "");
    action();
    await this.refresh(mayReply);
  }

  goTo(node) {
    if (node && node !== this.game.tree.at) this.change(() => this.game.tree.goTo(node));
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
    showControls(this);
    try {
      const result = await api.search(name, data, search.signal, tell);
      return search.signal.aborted ? null : result;
    } catch (error) {
      if (!search.signal.aborted) this.fail(error);
      return null;
    } finally {
      if (this.search === search) {
        this.stopSearch();
        showControls(this);
      }
    }
  }

  async analyse(time = null) {
    if (!this.isAnalysing || this.facts.outcome || this.facts.isGuess || this.thinking || this.reviewing) return;
    const change = this.changes;
    if (!settings.report) await wait(ANALYSE_PAUSE);
    if (change !== this.changes || this.search || !this.isAnalysing) return;
    const { at } = this.game.tree;
    const tell = (told) => {
      this.found = told;
      at.value = valueOf(told, this.facts.turn) || at.value;
      this.showAnalysis();
    };
    const options = { multipv: Number(this.choices.get("multipv")), threads: Number(this.choices.get("threads")), time };
    const result = await this.run("analyse", { ...this.game.position(), ...options }, tell);
    if (!result || change !== this.changes) return;
    this.space.storeSoon(settings.start);
    this.isDeep = true;
    this.show();
  }

  deeper() {
    this.analyse(DEEPER_SECONDS);
  }

  // Shows a line from here: {moves, color, at, name, proof, branch, note, arrows}.
  setLine(moves, color, more = {}) {
    this.line = moves && { moves, color, proof: null, at: more.proof ? moves.length : 1, ...more };
    this.why = this.chosen = this.hint = null;
    this.lineTo(this.line ? this.line.at : 0);
  }

  // The moves that lead to the end of a line; where it begins with the other side, a pass is between.
  lineMoves({ moves, color }) {
    return [...this.game.tree.moves(), ...(color === this.facts.turn ? [] : ["pass"]), ...moves];
  }

  lineTo(at) {
    return walkTo(this, at);
  }

  setHint(moves) {
    this.hint = moves;
    this.showBoard();
  }

  // A point of the board was chosen.
  async onPoint(point) {
    if (this.facts.isGuess && !(await this.ready)) return;
    if (settings.report) {
      chooseInReport(this, point);
      return;
    }
    const { facts, game, line } = this;
    if (this.isMarking) {
      this.setMark(point);
      return;
    }
    if (this.attack) {
      await solve(this, this.attack.kind, facts.turn, point);
      return;
    }
    if (isDefence(line) && !game.stones().some((stone) => stone.point === point) && !line.moves.slice(0, line.at).includes(point)) {
      await tryDefence(this, point);
      return;
    }
    if (facts.outcome) return;
    if (game.stones().some((stone) => stone.point === point)) {
      this.board.say(t("occupied", { point }));
      return;
    }
    if (isEngineNext(this) && !game.isPaused && this.thinking) {
      this.board.say(t("engineTurn"));
      return;
    }
    if (pickPoint(this, point)) return;
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
    if (await playByRule(this, point)) return;
    this.game.isPaused = false;
    if (this.choices.get("sound")) knock();
    await this.change(() => this.space.change(this.game.tree.play(point)), true);
  }

  // Letters on points, or none again.
  setMark(point) {
    const labels = { ...this.game.tree.at.labels };
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => !Object.values(labels).includes(letter));
    if (point in labels) delete labels[point];
    else labels[point] = letters[0] || "";
    this.space.change(this.game.tree.setLabels(labels));
    this.space.storeSoon(settings.start);
    this.show();
  }

  async explain(point) {
    const change = this.changes;
    try {
      // Of a stone that has lost the game, the position before it tells why.
      const moves = this.game.tree.moves();
      const why = await api.ask("explain", { ...this.game.position(this.facts.outcome ? moves.slice(0, -1) : moves), point });
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

  fail(error) {
    put("error", errorText(error));
  }

  tellLost() {
    if (!this.isLostTold) toast(t("notKept"));
    this.isLostTold = true;
  }

  // Shows all of it.
  show() {
    const { game, facts } = this;
    this.isDeep = this.isDeep && Boolean(this.found);
    this.showStatus();
    // Those of the game are not those of a line.
    showFouls(facts, this.choices.get("forbidden") && !this.line, (point) => this.explain(point));
    showWhy(this.why, facts.turn === "black" && !facts.outcome);
    showLine(this.line, facts.turn, (at) => this.lineTo(at));
    showProof(this);
    this.showReview();
    this.showAnalysis();
    showControls(this);
    showBook(this);
    showRule(this);
    showSure(this);
    const code = codeOf(game);
    if (location.hash.slice(1) !== code) history.replaceState(null, "", code ? `#${code}` : location.pathname);
  }

  showReview() {
    showReview(this);
    if (settings.report) showRow(this);
    showMoves(this.game, signsOf(this.game), (node) => this.goTo(node));
    showGraph(this.game.tree, signsOf(this.game), (node) => this.goTo(node));
  }

  showStatus() {
    const { facts, game, thinking, depth } = this;
    const isWaiting = isEngineNext(this) && !thinking && (game.isPaused || !facts.isGuess);
    const state = { isThinking: thinking, isWaiting, depth, step: statusOf(this), line: this.line };
    showStatus({ facts, side: game.side, ...state });
  }

  showBoard() {
    const line = this.line || (this.hint && { moves: this.hint, color: this.facts.turn, at: this.hint.length });
    const candidates = this.isAnalysing ? marks(this.found, this.choices.get("points")) : sureMarks(this);
    this.board.show(markRule(this, boardView({ ...this, game: this.game, choices: this.choices, candidates, line })));
  }

  showAnalysis() {
    const { turn } = this.facts;
    const points = this.choices.get("points");
    const hint = (moves) => this.setHint(moves);
    const pin = (moves) => this.setLine(moves, turn);
    const room = this.isAnalysing && !settings.report ? Number(this.choices.get("multipv")) : 0;
    showCandidates(this.isAnalysing ? this.found : null, { points, room, hint, pin });
    byId("deeper").hidden = !(this.isAnalysing && this.isDeep && !this.search);
    showBar(this.game.tree.at.value, points);
    showGraph(this.game.tree, signsOf(this.game), (node) => this.goTo(node));
    this.showBoard();
  }

  async setAnalysing(isOn) {
    this.isAnalysing = isOn;
    this.choices.set("analysing", isOn);
    if (!isOn && !this.thinking && !this.reviewing) this.stopSearch();
    this.found = null;
    this.show();
    await this.analyse();
  }

  setLanguage(language) {
    this.choices.set("language", language);
    setLanguage(language);
    fillControls(this);
    this.files.show();
    showVerdict(this.proof, this.facts.turn);
    this.show();
  }

  // Goes to the position of the address; one that the game does not have is opened as another game. False if there is
  // nothing to go to.
  async followLink() {
    const code = location.hash.slice(1);
    if (!code || code === codeOf(this.game)) return false;
    const moves = code.match(/[a-o]\d{1,2}|pass/g) || [];
    const names = moves.map((move) => (move === "pass" ? move : move.toUpperCase()));
    const node = !this.game.setup && moves.join("") === code && this.game.tree.find(names);
    if (!node) return this.files.load(`https://${location.host}/#${code}`, "");
    this.goTo(node);
    return true;
  }

  async start() {
    if (settings.report) {
      startReport(this);
      return;
    }
    fillControls(this);
    listen(this);
    const code = location.hash;
    const start = this.space.restore();
    const isOther = settings.game && start !== settings.start; // the file this server was started with is newer
    if (isOther) {
      this.files.take({ name: settings.game.headers.event || "", games: [settings.game], count: 1 });
    } else if (!code || code.slice(1) === codeOf(this.game) || !(await this.followLink())) {
      this.refresh(Boolean(start) && !this.game.isPaused);
    }
    await this.ready;
    document.body.classList.remove("loading");
    window.addEventListener("hashchange", () => this.followLink());
  }
}

new Page().start();
