// The page as the file of a review: a game that is looked at, not played on. The review is in settings.report; requests
// are answered from there (offline.js takes the place of api.js).

import { fillControls, listen } from "./controls.js";
import { isDefence, tryDefence } from "./proofs.js";
import { finish, showLineOf } from "./review.js";
import { settings, t } from "./texts.js";
import { byId } from "./view.js";
import { Game } from "./workspace.js";

// Shows the review, at the move of the address, else where the game was lost.
export function startReport(page) {
  const told = settings.report;
  const game = (page.space.game = Game.fromFile(told.game));
  const moves = told.moves.map((row) => row.move);
  game.review = { moves, rows: [] };
  finish(game, game.review, told);
  page.isAnalysing = true;
  byId("tab-games").dataset.t = "tabShare";
  for (const tab of document.querySelectorAll("[role=tab]:not([data-report])")) tab.hidden = true;
  fillControls(page);
  listen(page);
  // Where the page has room for what stands in the file below it.
  const side = document.querySelector(".side");
  side.prepend(document.querySelector(".cards"));
  side.append(document.querySelector(".rows"));
  document.querySelector(".engine").after(byId("judgement"));
  document.addEventListener("click", (event) => follow(page, event));
  window.addEventListener("hashchange", () => followAddress(page));
  document.body.classList.remove("loading");
  if (!followAddress(page)) goTo(page, told.turning_point ? told.turning_point.number : moves.length);
}

function goTo(page, number) {
  const { tree, review } = page.game;
  page.change(() => tree.goTo(tree.find(review.moves.slice(0, number)) || tree.root));
}

// Addresses name a row of the table (#m12) or have the moves themselves (#h8i9); false if nothing is there.
function followAddress(page) {
  const code = location.hash.slice(1);
  const { tree, review } = page.game;
  const row = /^m(\d+)$/.exec(code);
  if (row && row[1] <= review.moves.length) {
    goTo(page, Number(row[1]));
    return true;
  }
  const moves = code.match(/[a-o]\d{1,2}|pass/g) || [];
  const node = moves.length && tree.find(moves.map((move) => (move === "pass" ? move : move.toUpperCase())));
  if (!node) return false;
  if (node !== tree.at) page.change(() => tree.goTo(node));
  return true;
}

// Links and rows outside of the page's own panels: data-go is a move of the game, data-play one of its lines.
function follow(page, event) {
  const target = event.target.closest("[data-go]");
  if (!target) return;
  event.preventDefault();
  const { go, play } = target.dataset;
  goTo(page, Number(go));
  if (play) showLineOf(page, page.game.review.rows[go - 1], play);
  document.querySelector(".frame").scrollIntoView({ block: "nearest" });
}

// The row of the table that belongs to the move on the board.
export function showRow({ game }) {
  const moves = game.tree.moves();
  const isGame = moves.every((move, i) => move === game.review.moves[i]);
  for (const row of document.querySelectorAll(".rows tr[id]")) {
    if (isGame && row.id === `m${moves.length}`) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

// A point of the board: a defence that the proof answers, a stone, or a candidate.
export function chooseInReport(page, point) {
  const { game, line, found } = page;
  const { tree } = game;
  const candidate = found && found.candidates.find(({ move }) => move === point);
  const ply = tree.moves().indexOf(point);
  if (ply >= 0) page.goTo(tree.find(tree.moves().slice(0, ply + 1)));
  else if (isDefence(line)) tryDefence(page, point);
  else if (candidate) page.setLine(candidate.pv.length ? candidate.pv : [point], page.facts.turn);
  else page.board.say(t("notInReport"));
}
