// Files and texts: games in, games out.

import * as api from "./api.js";
import { settings, t } from "./texts.js";
import { byId, make, put } from "./view.js";

export class Files {
  // `open(facts)` shows a game; `record()` is the game to save; `fail(error)` tells an error.
  constructor({ open, record, fail }) {
    Object.assign(this, { open, record, fail });
    this.found = null;
    byId("file").addEventListener("change", () => this.readFile());
    byId("read").addEventListener("click", () => this.readText());
    byId("text").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.readText();
    });
    byId("save").addEventListener("click", () => this.save());
    byId("games").addEventListener("change", () => this.choose(Number(byId("games").value)));
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

  async load(bytes, name) {
    try {
      // Told here: a server that refuses to read on may be taken for one that is gone.
      if (bytes.size > settings.most_bytes) throw new Error(t("tooLarge", { name }));
      this.found = await api.load(bytes, name);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.choose(0);
  }

  choose(index) {
    this.index = index;
    this.open(this.found.games[index]);
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
    const problems = [...game.problems];
    if (game.variations) problems.push(t("variations", { count: game.variations }));
    const values = { name: name || t("loadedText"), count: game.moves.length };
    put("message", t(game.problems.length ? "problemsCount" : "loaded", values));
    byId("message").classList.remove("bad");
    byId("problems").hidden = !problems.length;
    byId("problems").replaceChildren(...problems.map((textContent) => make("li", { textContent })));
  }

  async save() {
    const format = byId("format").value;
    try {
      const blob = await api.save({ ...this.record(), format });
      const link = make("a", { href: URL.createObjectURL(blob), download: `renju.${format}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      this.found = null;
      byId("problems").hidden = true;
      put("message", t("saved", { name: link.download }));
      byId("message").classList.remove("bad");
    } catch (error) {
      this.fail(error);
    }
  }
}
