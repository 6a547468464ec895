// A position or a line to give away: a link, a picture, a picture that moves.

import { t } from "./texts.js";
import { byId, draw, make, toast } from "./view.js";

const SIZE = 1000; // points of a side of a picture
const STEP = 0.9; // seconds a move of a moving picture
const PAUSE = 3; // seconds before it begins again

// What stands behind # in the address: moves alone, or the parts of a set-up.
export function codeOf(game) {
  const compact = (points) => points.join("").toLowerCase();
  const moves = compact(game.tree.moves());
  if (!game.setup) return moves;
  const parts = [`b:${compact(game.setup.black)}`, `w:${compact(game.setup.white)}`];
  if (game.setup.turn === "white") parts.push("o:i");
  return [...parts, ...(moves ? [`g:${moves}`] : [])].join(",");
}

export function download(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export async function copyLink(game) {
  const link = `${location.href.split("#")[0]}#${codeOf(game)}`;
  try {
    await navigator.clipboard.writeText(link);
    toast(t("linkCopied"));
  } catch {
    byId("text").value = link; // no clipboard here: it can be taken from the box
    byId("text").select();
    toast(t("linkHere"));
  }
}

// The board as it is shown, as a picture of its own.
function picture() {
  const svg = document.querySelector(".renju-board").cloneNode(true);
  for (const part of svg.querySelectorAll("defs, .rb-hover, .rb-cursor")) part.remove();
  for (const name of [...svg.getAttributeNames()]) {
    if (/^(data-|aria-|class|role|tabindex)/.test(name)) svg.removeAttribute(name);
  }
  svg.setAttribute("width", SIZE);
  svg.setAttribute("height", SIZE);
  return svg;
}

const asBlob = (svg) => new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });

export function saveSvg() {
  download(asBlob(picture()), "renju.svg");
}

export async function savePng() {
  const image = new Image();
  const address = URL.createObjectURL(asBlob(picture()));
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = make("canvas", { width: SIZE, height: SIZE });
  canvas.getContext("2d").drawImage(image, 0, 0, SIZE, SIZE);
  canvas.toBlob((blob) => download(blob, "renju.png"), "image/png");
}

// The line one is on, stone by stone, over and over.
export function saveMoving(page) {
  const { game, board } = page;
  const moves = game.tree.line().filter((node) => node.move).map((node) => node.move);
  board.show({ stones: game.stones(moves), numbers: true });
  const svg = picture();
  page.show(); // what was shown before
  const whole = moves.length * STEP + PAUSE;
  for (const part of svg.querySelectorAll(".rb-stones > g, .rb-numbers > g")) {
    const ply = moves.indexOf(part.dataset.point);
    if (ply < 0) continue; // a stone of the set-up is there from the beginning
    const start = ((ply * STEP) / whole).toFixed(5);
    const times = { values: "hidden;visible", keyTimes: `0;${start}`, calcMode: "discrete" };
    const always = { attributeName: "visibility", dur: `${whole}s`, repeatCount: "indefinite" };
    if (ply) part.append(draw("animate", { ...always, ...times }));
  }
  download(asBlob(svg), "renju-line.svg");
}
