// The puzzle trainer: a task, the moves a person tries, what answers them, and the solution to walk through.

import { showLine, walkTo } from "./analysis.js";
import * as api from "./api.js";
import { Running, fail, listenHeader, on, showLanguage, firstChoices } from "./pages.js";
import { isDefence, showProof, tryDefence } from "./proofs.js";
import { PuzzleSet } from "./puzzleset.js";
import { areaAround, taskText, themesText, verdictText } from "./puzzletexts.js";
import { codeOf } from "./share.js";
import { knock } from "./sound.js";
import { Choices, keep, kept } from "./storage.js";
import { t, word } from "./texts.js";
import { newTraining, isTraining, nextPuzzle, recorded } from "./training.js";
import { other } from "./tree.js";
import { boardView, byId, colorText, put, toast } from "./view.js";
import { Game } from "./workspace.js";

const REPLY_PAUSE = 350; // ms before the defence answers, so that it can be followed
const SHOWN = "puzzle"; // what the browser keeps: the puzzle that is shown
const TRAINING = "training";
const NO_HINT = 0; // steps of a hint
const THEME = 1;
const AREA = 2;
const MOVE = 3;
const HINTS = ["hintTheme", "hintArea", "hintMove", "hintMove"]; // what the next step shows

const wait = (time) => new Promise((done) => setTimeout(done, time));

class Trainer {
  constructor() {
    const isTouch = window.matchMedia("(pointer: coarse)").matches;
    this.choices = new Choices({ ...firstChoices(), forbidden: true, numbers: true, taps: isTouch, sound: false });
    showLanguage(this.choices);
    const stored = kept(TRAINING);
    this.training = isTraining(stored) ? stored : newTraining();
    this.set = new PuzzleSet(this);
    this.running = new Running();
    this.changes = 0;
    this.puzzle = null;
    this.board = new window.RenjuBoard(document.querySelector(".renju-board"), { onPoint: (point) => this.onPoint(point) });
  }

  // Shows a puzzle from its start.
  open(puzzle, { hint = NO_HINT, isCounted = false } = {}) {
    this.changes += 1;
    this.running.stop();
    const { black, white, turn } = puzzle;
    this.puzzle = puzzle;
    this.game = new Game({ setup: { black, white, turn } });
    this.way = puzzle.kind === "defence" ? [puzzle.solution] : puzzle.line;
    this.isCounted = isCounted; // the training knows of this try
    this.hint = this.worstHint = hint;
    this.told = null; // what is said of the last move
    this.proof = this.line = this.chosen = null;
    this.mode = "play"; // play, wrong or done
    this.keep();
    this.settle();
  }

  keep() {
    keep(SHOWN, { id: this.puzzle.id, hint: this.worstHint, isCounted: this.isCounted });
  }

  async openNext() {
    const puzzle = nextPuzzle(this.set.chosen(), this.training, Date.now(), this.puzzle && this.puzzle.id);
    if (puzzle) this.open(puzzle);
    else toast(t("noOtherPuzzle"));
  }

  // Asks what is true of the position that is shown; the page is busy until that is known.
  async settle() {
    const change = this.changes;
    this.facts = { turn: this.game.turn(), outcome: null, forbidden: {} };
    this.isBusy = true;
    this.show();
    try {
      const facts = await this.factsOf();
      if (change !== this.changes) return;
      this.facts = facts;
    } catch (error) {
      if (change !== this.changes) return;
      fail(error);
    }
    this.isBusy = false;
    this.show();
  }

  factsOf(moves) {
    return api.ask("position", this.game.position(moves));
  }

  get step() {
    return this.game.tree.moves().length;
  }

  async onPoint(point) {
    if (!this.puzzle || this.isBusy) return;
    if (this.mode === "wrong") this.again();
    if (this.mode === "done") {
      if (isDefence(this.line)) await tryDefence(this, point);
      return;
    }
    const { facts } = this;
    if (this.game.stones().some((stone) => stone.point === point)) {
      this.board.say(t("occupied", { point }));
    } else if (facts.turn === "black" && facts.forbidden[point]) {
      this.tell("refuted", t("forbiddenHere", { point, kind: word(facts.forbidden[point]) }));
    } else if (this.choices.get("taps") && this.chosen !== point) {
      this.chosen = point;
      this.show();
    } else {
      await this.attempt(point);
    }
  }

  // A move that a person tries.
  async attempt(point) {
    this.chosen = null;
    if (this.choices.get("sound")) knock();
    if (point === this.way[this.step]) {
      await this.goOn(point);
      return;
    }
    const { puzzle, changes } = this;
    // After its first move a Mise-VCF is won by fours.
    const kind = puzzle.kind === "mise-vcf" && this.step ? "vcf" : puzzle.kind;
    this.isBusy = true;
    this.trying = point;
    this.tell("", t("judging", { point }));
    const result = await this.running.run("attempt", { ...this.game.position(), kind, point, threat_limit: puzzle.threat_limit });
    if (changes !== this.changes) return;
    this.isBusy = false;
    this.trying = null;
    if (!result) {
      this.tell("", "");
    } else if (result.verdict === "holds" && puzzle.kind !== "defence") {
      const { proof } = result;
      this.way = [...this.game.tree.moves(), ...(proof ? proof.line : [point])];
      await this.goOn(point);
    } else {
      this.wrong(point, { ...result, kind });
    }
  }

  // A right move, and the defence that resists longest.
  async goOn(point) {
    this.changes += 1;
    const change = this.changes;
    this.game.tree.play(point);
    this.hint = Math.min(this.hint, THEME);
    this.line = null;
    const reply = this.way[this.step];
    if (!reply) {
      this.count(this.worstHint === MOVE ? 0 : this.worstHint ? 0.5 : 1);
      this.finish("solved");
      return;
    }
    this.isBusy = true;
    this.tell("proved", t("goodMove", { point }));
    await wait(REPLY_PAUSE);
    if (change !== this.changes) return;
    this.game.tree.play(reply);
    this.told = { status: "proved", text: t("goodReply", { point, reply, who: colorText(other(this.puzzle.turn)) }) };
    this.board.say(this.told.text);
    this.settle();
  }

  // A move that is not the solution: why, and the line that shows it.
  wrong(point, result) {
    const { puzzle } = this;
    // Where a limit came first nobody knows whether the move was wrong.
    const isWrong = result.verdict === "fails" || point in puzzle.losses;
    if (isWrong) this.count(0);
    this.mode = "wrong";
    const { text, moves, arrows } = verdictText(puzzle, point, result);
    this.setLine(moves, this.facts.turn, { name: t("afterMove", { point }), at: Math.min(2, moves.length), arrows });
    this.tell(isWrong ? "refuted" : "", text);
  }

  again() {
    this.mode = "play";
    this.setLine(null);
    this.tell("", "");
  }

  giveUp() {
    this.changes += 1;
    this.running.stop();
    this.isBusy = false;
    this.count(0);
    this.way = this.puzzle.kind === "defence" ? [this.puzzle.solution] : this.puzzle.line;
    this.finish("solutionShown");
  }

  // The end of a puzzle: the solution with its tree, from the start.
  finish(key) {
    const { puzzle, game, way } = this;
    game.tree.goTo(game.tree.root);
    this.mode = "done";
    this.isBusy = false;
    this.hint = NO_HINT;
    this.facts = { turn: puzzle.turn, outcome: null, forbidden: {} };
    // After its first move a Mise-VCF is won by fours: so are defences answered that somebody tries.
    const kind = puzzle.kind === "mise-vcf" ? "vcf" : puzzle.kind;
    this.proof = puzzle.lines.length ? { ...puzzle, kind, verified: true, color: puzzle.turn } : null;
    const isFile = this.proof && way.every((move, i) => move === puzzle.line[i]);
    this.setLine(way, puzzle.turn, { name: t("solutionLine"), proof: this.proof, branch: isFile ? 0 : -1 });
    this.tell("proved", t(key, { line: way.join(" ") }) + this.changeText());
    byId("next").focus({ preventScroll: true });
  }

  // Tells the training of this try, once.
  count(score) {
    if (this.isCounted) return;
    const before = this.training.rating.value;
    const isRated = !this.training.puzzles[this.puzzle.id];
    this.isCounted = true;
    this.setTraining(recorded(this.training, this.puzzle, score, Date.now()));
    this.change = isRated ? Math.round(this.training.rating.value) - Math.round(before) : null;
    this.keep();
  }

  setTraining(training) {
    this.training = training;
    if (!keep(TRAINING, training) && !this.isLostTold) {
      this.isLostTold = true;
      toast(t("trainingNotKept"));
    }
    this.set.show();
  }

  changeText() {
    const { change } = this;
    return change === null || change === undefined ? "" : ` ${t("ratingChange", { change: change < 0 ? `−${-change}` : `+${change}` })}`;
  }

  takeHint() {
    this.hint = Math.min(this.hint + 1, MOVE);
    if (this.hint === THEME && this.step) this.hint = AREA; // the theme was told at the start
    this.worstHint = Math.max(this.worstHint, this.hint);
    this.keep();
    const texts = { [THEME]: themesText(this.puzzle), [AREA]: t("areaShown"), [MOVE]: t("moveShown", { point: this.way[this.step] }) };
    this.tell("", texts[this.hint]);
  }

  tell(status, text) {
    this.told = text ? { status, text } : null;
    this.show();
  }

  // Lines, as the tree of a proof walks them.

  setLine(moves, color, more = {}) {
    this.line = moves && moves.length ? { moves, color, proof: null, at: moves.length, ...more } : null;
    this.lineTo(this.line ? this.line.at : 0);
  }

  lineMoves({ moves }) {
    return [...this.game.tree.moves(), ...moves];
  }

  lineTo(at) {
    return walkTo(this, at);
  }

  run(name, data) {
    return this.running.run(name, data);
  }

  show() {
    const { puzzle, told, mode, line, chosen } = this;
    byId("status-disc").className = `disc ${puzzle.turn}`;
    const status = byId("status-text");
    status.ariaBusy = Boolean(this.isBusy);
    const task = taskText(puzzle);
    if (status.textContent !== task) status.textContent = task;
    put("feedback", told ? told.text : "");
    byId("feedback").className = `verdict ${told ? told.status : ""}`;
    // The theme is told at the start, or not at all.
    byId("hint").textContent = t(HINTS[Math.max(this.hint, this.step ? THEME : NO_HINT)]);
    byId("hint").disabled = mode !== "play" || this.isBusy || this.hint === MOVE;
    byId("again").disabled = mode !== "wrong";
    byId("solution").disabled = mode === "done";
    byId("next").classList.toggle("main", mode === "done");
    byId("again").classList.toggle("main", mode === "wrong");
    byId("confirm").hidden = !chosen;
    if (chosen) {
      byId("confirm-text").textContent = t("confirm", { point: chosen });
      byId("confirm-yes").textContent = t("yes", { point: chosen });
    }
    byId("about").textContent = t("about", { difficulty: puzzle.difficulty, id: puzzle.id.slice(0, 6) });
    byId("on-board").href = `/#${codeOf(this.game)}`;
    showLine(line, puzzle.turn, (at) => this.lineTo(at));
    showProof(this);
    this.showBoard();
  }

  showBoard() {
    const { hint, game, facts, choices, line, chosen, trying, mode } = this;
    const view = boardView({ game, facts, choices, candidates: [], line, why: null, chosen: chosen || trying });
    const point = this.way[this.step];
    if (mode === "play" && hint >= AREA && point) {
      view.heat = areaAround(point, this.puzzle.id, this.board.size);
      if (hint === MOVE) view.candidates = [{ point, text: "", rank: 1 }];
    }
    view.numbers = true;
    this.board.show(view);
  }

  showAll() {
    const names = ["black", "white", "empty", "candidate", "double-three", "double-four", "overline"];
    this.board.texts = Object.fromEntries(names.map((name) => [name, t(name)]));
    this.board.texts.forbidden = t("forbiddenFor");
    this.board.svg.setAttribute("aria-label", t("boardHelp"));
    for (const id of ["forbidden", "taps", "sound"]) byId(id).checked = this.choices.get(id);
    this.set.show();
    if (!this.puzzle) return;
    this.told = null;
    if (this.mode === "done") this.finish("solutionShown");
    else this.show();
  }

  listen() {
    listenHeader(this.choices, () => this.showAll());
    on("hint", () => this.takeHint());
    on("again", () => this.again());
    on("solution", () => this.giveUp());
    on("next", () => this.openNext());
    on("confirm-yes", () => this.attempt(this.chosen));
    on("confirm-no", () => {
      this.chosen = null;
      this.show();
    });
    on("line-back", () => this.lineTo(this.line.at - 1));
    on("line-on", () => this.lineTo(this.line.at + 1));
    for (const id of ["forbidden", "taps", "sound"]) {
      on(id, () => {
        this.choices.set(id, byId(id).checked);
        this.chosen = null;
        this.show();
      }, "change");
    }
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  onKey(event) {
    if (event.target.closest("input:not([type=checkbox]), select") || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOnBoard = event.target.closest(".renju-board");
    const keys = { h: "hint", n: "next", s: "solution", Escape: "again" };
    if (!isOnBoard && this.line) Object.assign(keys, { ArrowLeft: "line-back", ArrowRight: "line-on" });
    if (!keys[event.key]) return;
    byId(keys[event.key]).click();
    event.preventDefault();
  }

  // Shows the puzzle that was shown before a reload, else the next one.
  async start() {
    this.listen();
    await this.set.start();
    const shown = kept(SHOWN);
    const puzzle = shown && this.set.puzzles.find(({ id }) => id === shown.id);
    if (puzzle) this.open(puzzle, { hint: NO_HINT, isCounted: shown.isCounted === true });
    else await this.openNext();
    if (puzzle && shown.hint in [NO_HINT, THEME, AREA, MOVE]) this.worstHint = shown.hint;
    this.showAll();
    document.body.classList.remove("loading");
  }
}

new Trainer().start();
