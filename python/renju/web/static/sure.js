// Sure wins from a file of proofs that the server was started with: the winning move, and every reply answered.

import * as api from "./api.js";
import { settings, t } from "./texts.js";
import { byId, colorText, make, pointText, put, refill } from "./view.js";

const MOST_KNOWN = 300; // positions that are kept
const SHOWN_OPEN = 12; // open replies that are named

const known = new Map(); // what the file says, by position

const keyOf = ({ game }) => JSON.stringify(game.position());

// What the file says of the position that is shown; undefined where it has not been asked yet.
const foundOf = (page) => (settings.proofs ? known.get(keyOf(page)) : undefined);

// Shows what the file says, once it is known.
export async function showSure(page) {
  byId("sure").hidden = !settings.proofs;
  if (!settings.proofs) return;
  const key = keyOf(page);
  if (!page.facts.isGuess && !known.has(key)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, null); // is being asked for
    try {
      known.set(key, await api.ask("sure", page.game.position()));
    } catch (error) {
      known.delete(key);
      page.fail(error);
    }
    if (known.get(key) && key === keyOf(page)) page.showBoard();
  }
  if (key === keyOf(page)) fill(page, foundOf(page));
}

function fill(page, found) {
  const file = settings.proofs;
  byId("sure").setAttribute("aria-busy", String(!found));
  byId("sure-text").textContent = found ? text(found, file) : t("sureAsking", { file });
  byId("sure").classList.toggle("proved", Boolean(found && found.winner));
  byId("sure").classList.toggle("told", Boolean(found && (found.winner || found.goal)));
  const isOurs = Boolean(found && found.move && !page.line && !page.thinking);
  byId("sure-play").hidden = !isOurs;
  if (isOurs) {
    byId("sure-play").textContent = t("surePlay", { point: found.move });
    byId("sure-play").onclick = () => page.play(found.move);
  }
  showReplies(page, found);
}

function text({ winner, move, verified, goal }, file) {
  if (goal) return goalText(goal, file);
  if (!winner) return t("sureNone", { file });
  const proof = t(verified ? "sureVerified" : "sureNotVerified", { file });
  const who = colorText(winner);
  return move ? t("sureWin", { who, point: move, proof }) : t("sureLost", { who, proof });
}

function goalText({ color, replies, verified, open }, file) {
  const values = { who: colorText(color), replies, verified, proved: replies - open.length, file };
  if (!open.length) return t("sureAll", values);
  const names = open.slice(0, SHOWN_OPEN).map(pointText).join(" ") + (open.length > SHOWN_OPEN ? " …" : "");
  return t("sureSome", { ...values, open: names });
}

// The replies that have an answer of their own, to be tried; any other can be chosen on the board.
function showReplies(page, found) {
  const isLosing = Boolean(found && found.winner && !found.move);
  put("sure-replies-text", isLosing ? t("sureReplies") : "");
  const chips = (isLosing ? found.replies : []).map((point) => {
    const chip = make("button", { type: "button", className: "small", textContent: pointText(point) });
    chip.addEventListener("click", () => page.play(point));
    chip.addEventListener("mouseenter", () => page.setHint([point]));
    chip.addEventListener("mouseleave", () => page.setHint(null));
    return chip;
  });
  refill(byId("sure-replies"), chips);
  byId("sure-replies").hidden = !chips.length;
}

// The winning move as a ring on the board, where no analysis shows its own.
export function sureMarks(page) {
  const found = foundOf(page);
  return found && found.move ? [{ point: found.move, text: t("markWin"), rank: 1 }] : [];
}
