// What the pages beside the board share: the header, errors, and one search at a time.

import * as api from "./api.js";
import { preferredLanguage, currentLanguage, errorText, fillTexts, setLanguage, t } from "./texts.js";
import { byId, put, toast } from "./view.js";

export const firstChoices = () => ({ language: preferredLanguage() });

// Texts of the page in the language that was chosen.
export function showLanguage(choices) {
  setLanguage(choices.get("language"));
  fillTexts();
  byId("language").textContent = t("language");
  byId("language").lang = currentLanguage() === "ja" ? "en" : "ja";
}

export const on = (id, action, event = "click") => byId(id).addEventListener(event, action);

// Buttons of the header; `show` shows everything again.
export function listenHeader(choices, show) {
  on("language", () => {
    choices.set("language", currentLanguage() === "ja" ? "en" : "ja");
    showLanguage(choices);
    show();
  });
  on("error", () => put("error", ""));
  if (byId("options")) listenOptions();
}

function listenOptions() {
  const open = (isOpen) => {
    byId("options-box").hidden = !isOpen;
    byId("options").setAttribute("aria-expanded", isOpen);
  };
  on("options", () => open(byId("options-box").hidden));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#options, #options-box")) open(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") open(false);
  });
}

export const fail = (error) => put("error", errorText(error));

// A word at the lower edge with a button that takes back what was done.
export function undoable(text, undo) {
  toast(text, true);
  byId("toast-undo").onclick = () => {
    byId("toast").hidden = true;
    undo();
  };
}

// The file of an <input>, which may be chosen again.
export function fileOf(id) {
  const [file] = byId(id).files;
  byId(id).value = "";
  return file;
}

// One search at a time: a new one ends the old one.
export class Running {
  constructor(onChange = () => {}) {
    this.search = null;
    this.onChange = onChange;
  }

  stop() {
    if (this.search) this.search.abort();
    this.search = null;
    this.onChange();
  }

  // The result; null if the search was left or failed.
  async run(name, data, tell) {
    this.stop();
    const search = (this.search = new AbortController());
    this.onChange();
    try {
      const result = await api.search(name, data, search.signal, tell);
      return search.signal.aborted ? null : result;
    } catch (error) {
      if (!search.signal.aborted) fail(error);
      return null;
    } finally {
      if (this.search === search) this.stop();
    }
  }
}
