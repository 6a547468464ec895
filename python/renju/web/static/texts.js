// All that the page says, in two languages. The table comes with the page: key -> {en, ja}.

export const settings = JSON.parse(document.getElementById("settings").textContent);

export const LANGUAGES = ["en", "ja"];

let language = "en";

export function setLanguage(name) {
  language = LANGUAGES.includes(name) ? name : "en";
  document.documentElement.lang = language;
}

export function currentLanguage() {
  return language;
}

// The language that the page was made for, else that of the browser, if it is one of ours.
export function preferredLanguage() {
  if (settings.language) return settings.language;
  return (navigator.language || "").toLowerCase().startsWith("ja") ? "ja" : "en";
}

// The text of a key; {name} is replaced by a value.
export function t(key, values = {}) {
  const row = settings.texts[key];
  if (!row) throw new Error(`there is no text ${key}`);
  return row[language].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

// A text that may be missing, for words that come from the server.
export function word(key) {
  return settings.texts[key] ? t(key) : key;
}

// An error in the words of the page; what is wrong in a file only the server can say.
export function errorText({ code, message }) {
  if (code === "no-server") return t("noServer");
  const key = `error-${code}`;
  if (!settings.texts[key]) return message;
  return ["busy", "bug"].includes(code) ? t(key) : `${t(key)}: ${message}`;
}

// Fills the elements of the page that have texts of their own.
export function fillTexts(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) {
    const text = t(element.dataset.tLabel);
    element.setAttribute("aria-label", text);
    if (element.tagName === "BUTTON") element.title = text;
  }
}
