// Files and texts: games in, games out, and those the browser has kept.

import * as api from "./api.js";
import { download } from "./share.js";
import { settings, t } from "./texts.js";
import { byId, make, put } from "./view.js";
import { Game } from "./workspace.js";

const WITH_TREES = ["sgf", "lib"]; // formats that hold variations
const SHOWN_MOVES = 8; // of a kept game in the list

export class Files {
  constructor(page) {
    this.page = page;
    this.found = null;
    byId("file").addEventListener("change", () => this.readFile());
    byId("read").addEventListener("click", () => this.readText());
    byId("text").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      this.readText();
    });
    byId("save").addEventListener("click", () => this.save());
    byId("games").addEventListener("change", () => this.choose(Number(byId("games").value)));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.load(file, file.name);
    });
  }

  async readFile() {
    const [file] = byId("file").files;
    byId("file").value = ""; // the same file may be chosen again
    if (file) await this.load(file, file.name);
  }

  async readText() {
    const text = byId("text").value.trim();
    if (text) await this.load(text, "");
  }

  // Opens a file or a text; what was shown before can be brought back. False if it cannot be read.
  async load(bytes, name) {
    try {
      // Told here: a server that refuses to read on may be taken for one that is gone.
      if (bytes.size > settings.most_bytes) throw new Error(t("tooLarge", { name }));
      this.take(await api.load(bytes, name));
      return true;
    } catch (error) {
      this.page.fail(error);
      return false;
    }
  }

  take(found) {
    this.found = { ...found, opened: new Map() }; // place in the file -> id of the game
    this.choose(0);
  }

  choose(index) {
    const { games, opened } = this.found;
    this.index = index;
    const { space } = this.page;
    this.page.change(() => {
      const id = opened.get(index);
      if (id) space.bring(id);
      else space.open(Game.fromFile(games[index]));
      opened.set(index, space.game.id);
    });
    this.show();
  }

  // Names of the games, and what was wrong with this one.
  show() {
    if (!this.found) return;
    const { games, count, name } = this.found;
    const game = games[this.index];
    byId("games-label").hidden = games.length < 2;
    byId("games-count").textContent = t("gamesCount", { count });
    const options = games.map(({ headers }, i) => {
      const [black, white] = [headers.black || "?", headers.white || "?"];
      return make("option", { value: i, textContent: t("gameTitle", { number: i + 1, black, white }) });
    });
    byId("games").replaceChildren(...options);
    byId("games").value = this.index;
    const values = { name: name || t("loadedText"), count: game.moves.length };
    const told = { ...values, variations: game.variations };
    const isTree = game.variations > 0;
    put("message", game.problems.length ? t("problemsCount", told) : t(isTree ? "loadedTree" : "loaded", told));
    byId("problems").hidden = !game.problems.length;
    byId("problems").replaceChildren(...game.problems.map((textContent) => make("li", { textContent })));
  }

  async save() {
    const format = byId("format").value;
    try {
      download(await api.save({ ...this.page.game.record(), format }), `renju.${format}`);
      byId("problems").hidden = true;
      const isTree = WITH_TREES.includes(format);
      put("message", t(isTree ? "saved" : "savedMain", { name: `renju.${format}` }));
      } catch (error) {
      this.page.fail(error);
    }
  }

  // The games that the browser has kept.
  showRecent() {
    if (byId("panel-games").hidden) return;
    const { page } = this;
    const rows = page.space.others().map((stored) => {
      const game = new Game(stored);
      const line = game.tree.line().filter((node) => node.move).slice(0, SHOWN_MOVES).map((node) => node.move);
      const { black, white } = game.headers;
      const text = black || white ? `${black || "?"} – ${white || "?"}` : line.join(" ") || t("startPosition");
      const when = new Date(stored.time).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
      const button = make("button", { type: "button", className: "game" });
      button.append(make("span", { textContent: text }), make("time", { textContent: when }));
      button.addEventListener("click", () => page.change(() => page.space.open(new Game(stored))));
      return make("li", {}, button);
    });
    if (!rows.length) rows.push(make("li", { className: "soft", textContent: t("noRecent") }));
    byId("recent").replaceChildren(...rows);
  }
}
