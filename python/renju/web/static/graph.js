// The chances of black along the line one is on: what analysis and review have found so far.

import { t } from "./texts.js";
import { byId, draw, pointText } from "./view.js";

const SIGN = 14; // width of a sign in pixels

// `signs` has the quality of weak moves by node; `goTo(node)` is called for a click, and while one drags.
export function showGraph(tree, signs, goTo) {
  const nodes = tree.line();
  const last = Math.max(1, nodes.length - 1);
  const x = (i) => (100 * i) / last;
  const known = nodes.map((node, i) => [i, node.value]).filter(([, value]) => value);
  const y = (value) => 100 - 100 * value.chance;
  const inner = draw("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", width: "100%", height: "100%" });
  if (known.length) {
    const corners = known.map(([i, value]) => `${x(i).toFixed(2)} ${y(value).toFixed(2)}`);
    const [first, end] = [x(known[0][0]), x(known.at(-1)[0])];
    inner.append(
      draw("rect", { class: "white", x: first, y: 0, width: Math.max(end - first, 0), height: 100 }),
      draw("path", { class: "black", d: `M${first} 100L${corners.join("L")}L${end} 100Z` }),
      draw("path", { class: "curve", d: `M${corners.join("L")}`, "vector-effect": "non-scaling-stroke" }),
    );
  }
  const at = nodes.indexOf(tree.at);
  const dots = nodes.flatMap((node, i) => {
    const quality = signs.get(node.id);
    if (!quality || !node.value) return [];
    const place = { x: `${x(i)}%`, y: `${y(node.value)}%`, overflow: "visible", class: `sign q-${quality}` };
    const title = draw("title", {}, `${i} ${pointText(node.move)}: ${t(`quality-${quality}`)}`);
    const use = draw("use", { href: `#q-${quality}`, x: -SIGN / 2, y: -SIGN / 2, width: SIGN, height: SIGN });
    return [draw("svg", place, title, use)];
  });
  const picture = draw(
    "svg",
    { role: "img", "aria-label": t("graphLabel") },
    draw("rect", { class: "ground", width: "100%", height: "100%", rx: 6 }),
    inner,
    draw("line", { class: "zero", x1: 0, x2: "100%", y1: "50%", y2: "50%" }),
    draw("text", { x: 6, y: 14, class: "side" }, known.length ? `${t("sideBlack")} ↑` : ""),
    draw("text", { x: 6, y: "100%", dy: -6, class: "side" }, known.length ? `${t("sideWhite")} ↓` : ""),
    draw("line", { class: "now", x1: `${x(at)}%`, x2: `${x(at)}%`, y1: 0, y2: "100%" }),
    ...dots,
  );
  if (known.length === 1) {
    const [[i, value]] = known;
    picture.append(draw("circle", { class: "sign best", cx: `${x(i)}%`, cy: `${y(value)}%`, r: 4 }));
  }
  const box = byId("graph");
  box.replaceChildren(picture);
  const seek = (event) => {
    const { left, width } = box.getBoundingClientRect();
    const i = Math.round(((event.clientX - left) / width) * last);
    goTo(nodes[Math.min(Math.max(i, 0), nodes.length - 1)]);
  };
  box.onclick = seek;
  box.onpointermove = (event) => {
    if (event.buttons === 1) seek(event);
  };
}
