// The moves of the game: two columns for the main line, a block below it for every variation.

import { stepName } from "./rules.js";
import { t } from "./texts.js";
import { isStep } from "./tree.js";
import { byId, make, pointText, put, refill } from "./view.js";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const MOST_BUTTONS = 900; // of variations; those beyond show their first move
const MOST_NESTED = 10;

class List {
  constructor(game, signs, goTo) {
    Object.assign(this, { game, signs, goTo });
    this.here = new Set(game.tree.path());
    this.left = MOST_BUTTONS;
    this.current = null;
  }

  button(node, ply) {
    const color = node.move ? this.game.turn(ply - 1) : "";
    const button = make("button", { type: "button", className: `move ${isStep(node) ? "step" : color}` });
    if (node.move) button.append(make("b", { textContent: ply }), " ");
    button.append(node.move ? pointText(node.move) : isStep(node) ? stepName(node) : t("textNode"));
    const quality = this.signs.get(node.id);
    if (SIGNS[quality]) {
      button.classList.add(quality);
      button.append(make("em", { textContent: SIGNS[quality], title: t(`quality-${quality}`) }));
    }
    if (node.comment) button.append(make("sup", { textContent: "※" }));
    if (node === this.game.tree.at) {
      button.setAttribute("aria-current", "step");
      this.current = button;
    }
    button.addEventListener("click", () => this.goTo(node));
    return button;
  }

  told(node) {
    return node.comment ? [make("div", { className: "told", textContent: node.comment })] : [];
  }

  // The main line, with the numbers of its rows.
  rows() {
    const { tree } = this.game;
    const start = make("button", { type: "button", className: "move start", textContent: t("startPosition") });
    if (tree.at === tree.root) {
      start.setAttribute("aria-current", "step");
      this.current = start;
    }
    start.addEventListener("click", () => this.goTo(tree.root));
    const rows = [start, ...this.told(tree.root)];
    let ply = 0;
    let isOpen = false; // a row that waits for white's move
    for (let node = tree.root; node.children.length; ) {
      const [main, ...others] = node.children;
      if (main.move) ply += 1;
      const isBlack = this.game.turn(ply - 1) === "black";
      if (!isStep(main) && (!isOpen || isBlack)) {
        const number = Math.ceil((ply + (this.game.firstColor() === "white" ? 1 : 0)) / 2);
        rows.push(make("span", { className: "number", textContent: `${Math.max(1, number)}.` }));
        if (!isBlack) rows.push(make("span", { className: "number", textContent: "…" }));
      }
      const button = this.button(main, ply);
      if (main.value && !main.value.isOver) {
        const textContent = `${Math.round(100 * main.value.chance)} %`;
        button.append(make("small", { textContent, title: t("graphLabel") }));
      }
      rows.push(button);
      isOpen = isBlack && !isStep(main);
      if (isBlack && (main.comment || others.length)) {
        rows.push(make("span"));
        isOpen = false;
      }
      rows.push(...this.told(main));
      const before = ply - (main.move ? 1 : 0);
      rows.push(...others.map((other) => this.branch(other, before, 1)));
      node = main;
    }
    return rows;
  }

  // A variation in one block, with its own variations inside; `ply` moves were made before it.
  branch(first, ply, depth) {
    const block = make("div", { className: "branch" });
    let count = ply;
    for (let node = first; node; [node] = node.children) {
      if (node.move) count += 1;
      this.left -= 1;
      block.append(this.button(node, count));
      block.append(...this.told(node));
      // Those beside the move that follows.
      const [main, ...others] = node.children;
      const isShort = this.left < 0 || depth >= MOST_NESTED;
      for (const other of others) {
        if (!isShort || this.here.has(other)) block.append(this.branch(other, count, depth + 1));
      }
      if (isShort && main && !this.here.has(main)) {
        block.append(make("span", { className: "soft", textContent: " …" }));
        break;
      }
    }
    return block;
  }
}

export function showMoves(game, signs, goTo) {
  const list = byId("moves");
  const made = new List(game, signs, goTo);
  refill(list, made.rows());
  // Only the list itself scrolls, never the page.
  const top = made.current ? made.current.getBoundingClientRect().top - list.getBoundingClientRect().top : 0;
  if (top < 0 || top > list.clientHeight - 44) list.scrollTop += top - list.clientHeight / 2;
  const count = (nodes) => nodes.filter((node) => !isStep(node)).length - 1;
  byId("place").textContent = t("place", { at: count(game.tree.path()), all: count(game.tree.line()) });
  const line = game.tree.line();
  byId("slider").max = line.length - 1;
  byId("slider").value = line.indexOf(game.tree.at);
  const { black, white } = game.headers;
  put("players", black || white ? `● ${black || "?"}　○ ${white || "?"}　${game.result}` : "");
  const comment = byId("comment");
  const text = game.tree.at.comment || "";
  if (comment.value !== text) comment.value = text;
}
