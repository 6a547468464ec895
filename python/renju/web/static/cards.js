// The cards of Twin Cool: suits A to H, values 1 to 10, as elements of the page and as text.

import { t } from "./texts.js";
import { make } from "./view.js";

const SUITS = "ABCDEFGH";
const VALUES = 10;
const SHOWN = 5; // cards of a pile

export const ALL_CARDS = [...SUITS].flatMap((suit) => Array.from({ length: VALUES }, (_, i) => `${suit}${i + 1}`));

// The cards of a text; an error names what is no card, or is there twice.
export function cardsOf(text) {
  const cards = text.toUpperCase().split(/[\s,]+/).filter(Boolean);
  for (const card of cards) if (!ALL_CARDS.includes(card)) throw new Error(t("noCard", { card }));
  const twice = cards.find((card, i) => cards.indexOf(card) !== i);
  if (twice) throw new Error(t("cardTwice", { card: twice }));
  return cards;
}

// A card that is looked at, or with `action` one that is chosen.
export function face(card, action = null, properties = {}) {
  const tag = action ? "button" : "span";
  const element = make(tag, { className: `face suit-${card[0]}`, ...(action ? { type: "button" } : {}), ...properties });
  element.append(make("i", { textContent: card }), make("b", { textContent: card.slice(1), ariaHidden: "true" }));
  element.dataset.card = card;
  if (action) {
    element.setAttribute("aria-label", card);
    element.addEventListener("click", () => action(card));
  }
  return element;
}

// A pile: its last cards, the top one in front. With `action` it can be chosen.
export function pile(cards, number, action) {
  const label = t("pileNumber", { number: number + 1 });
  const shown = cards.slice(-SHOWN);
  const stack = make("div", { className: "stack" }, ...shown.map((card) => face(card)));
  if (!cards.length) stack.append(make("span", { className: "face empty" }));
  const head = make("span", { className: "soft", textContent: cards.length > SHOWN ? t("pileOf", { label, count: cards.length }) : label });
  const element = make(action ? "button" : "div", { className: "pile" }, head, stack);
  element.dataset.pile = number + 1;
  if (action) {
    element.type = "button";
    element.setAttribute("aria-label", t("putOn", { pile: label }));
    element.addEventListener("click", action);
  }
  return element;
}

// Small cards to choose from, a row for each suit; what is not in `cards` cannot be chosen.
export function picker(place, cards, action) {
  const can = new Set(cards);
  place.replaceChildren(...ALL_CARDS.map((card) => face(card, action, { disabled: !can.has(card) })));
}
