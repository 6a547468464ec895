// The puzzles to choose from: those of the server or of a file, filters, and what the training says of them.

import * as api from "./api.js";
import { fail, fileOf, on, undoable } from "./pages.js";
import { download } from "./share.js";
import { keep, kept } from "./storage.js";
import { settings, t, word } from "./texts.js";
import { isDue, readTraining } from "./training.js";
import { byId, make, options, put, toast } from "./view.js";

const OWN_SET = "puzzle-set"; // what the browser keeps: the puzzles of a file that was opened
const FILTERS = ["kind", "theme", "easiest", "hardest"];

export class PuzzleSet {
  constructor(trainer) {
    this.trainer = trainer;
    this.found = { name: "", puzzles: [], problems: [] };
    this.filters = Object.fromEntries(FILTERS.map((name) => [name, ""]));
  }

  get puzzles() {
    return this.found.puzzles;
  }

  async start() {
    for (const name of FILTERS) {
      on(name, () => {
        this.filters[name] = byId(name).value;
        this.show();
        const { puzzle } = this.trainer;
        if (this.chosen().length && !this.chosen().includes(puzzle)) this.trainer.openNext();
      }, "change");
    }
    on("set-file", () => this.openFile(), "change");
    on("set-own", async () => {
      keep(OWN_SET, null);
      await this.fetch();
      this.restart();
    });
    on("export", () => this.exportTraining());
    on("import", () => this.importTraining(), "change");
    const own = kept(OWN_SET);
    if (own && Array.isArray(own.puzzles)) this.found = own;
    else await this.fetch();
  }

  // The puzzles that the server was started with.
  async fetch() {
    try {
      this.found = await api.ask("puzzles", {});
    } catch (error) {
      fail(error);
    }
  }

  async openFile() {
    const file = fileOf("set-file");
    if (!file) return;
    try {
      // Told here: a server that refuses to read on may be taken for one that is gone.
      if (file.size > settings.most_bytes) throw new Error(t("tooLarge", { name: file.name }));
      this.found = await api.load(file, file.name, "load-puzzles");
      if (!keep(OWN_SET, this.found)) toast(t("setNotKept"));
      this.restart();
    } catch (error) {
      fail(error);
    }
  }

  restart() {
    this.filters = Object.fromEntries(FILTERS.map((name) => [name, ""]));
    this.show();
    if (this.puzzles.length) this.trainer.openNext();
  }

  // The puzzles that pass the filters.
  chosen() {
    const { kind, theme, easiest, hardest } = this.filters;
    return this.puzzles.filter((puzzle) => {
      const isKind = !kind || puzzle.kind === kind;
      const isTheme = !theme || puzzle.themes.includes(theme);
      return isKind && isTheme && (!easiest || puzzle.difficulty >= Number(easiest)) && (!hardest || puzzle.difficulty <= Number(hardest));
    });
  }

  exportTraining() {
    const text = `${JSON.stringify(this.trainer.training, null, 1)}\n`;
    download(new Blob([text], { type: "application/json" }), "renju-training.json");
  }

  async importTraining() {
    const file = fileOf("import");
    if (!file) return;
    const training = file.size > settings.most_bytes ? null : readTraining(await file.text());
    if (!training) {
      fail(new Error(t("noTraining", { name: file.name })));
      return;
    }
    const { trainer } = this;
    const before = trainer.training;
    trainer.setTraining(training);
    undoable(t("trainingRead", { count: Object.keys(training.puzzles).length }), () => trainer.setTraining(before));
  }

  // Figures of the training and the filters.
  show() {
    const { training } = this.trainer;
    const { value, deviation, time } = training.rating;
    byId("rating").textContent = time === null ? "–" : `${Math.round(value)} ± ${Math.round(deviation)}`;
    const entries = this.puzzles.map(({ id }) => training.puzzles[id]).filter(Boolean);
    byId("solved").textContent = `${entries.filter(({ first }) => first === 1).length} / ${entries.length}`;
    const now = Date.now();
    byId("due").textContent = String(this.puzzles.filter((puzzle) => isDue(training, puzzle, now)).length);
    const count = (pass) => this.puzzles.filter(pass).length;
    const row = (key, text, pass) => [key, `${text} (${count(pass)})`];
    const known = (values) => [...new Set(values)].sort();
    const all = ["", t("allOfThem", { count: this.puzzles.length })];
    const kinds = known(this.puzzles.map(({ kind }) => kind));
    const kindRows = kinds.map((kind) => row(kind, word(`kind-${kind}`), (one) => one.kind === kind));
    options("kind", [all, ...kindRows], this.filters.kind);
    const themes = known(this.puzzles.flatMap((puzzle) => puzzle.themes));
    const themeRows = themes.map((theme) => row(theme, word(`theme-${theme}`), (one) => one.themes.includes(theme)));
    options("theme", [all, ...themeRows], this.filters.theme);
    const levels = known(this.puzzles.map(({ difficulty }) => difficulty)).map((level) => [String(level), String(level)]);
    for (const id of ["easiest", "hardest"]) options(id, [["", t("anyDifficulty")], ...levels], this.filters[id]);
    put("empty", this.chosen().length ? "" : t("noPuzzle"));
    const size = this.puzzles.length;
    put("set-name", this.found.name ? t("setOf", { name: this.found.name, count: size }) : t("setOfServer", { count: size }));
    byId("set-own").disabled = !this.found.name;
    byId("problems").hidden = !this.found.problems.length;
    byId("problems").replaceChildren(...this.found.problems.map((textContent) => make("li", { textContent })));
  }
}
