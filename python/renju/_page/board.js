// The board of the pages: shows a position on the picture of `board_svg()` and tells which point is chosen.
// It makes no shape of its own: it copies those in the picture's <defs> (attribute data-shape).
"use strict";

(() => {
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const TEXTS = {
    board: "Renju board. The arrow keys choose a point, Enter plays it.",
    black: "black",
    white: "white",
    empty: "empty",
    forbidden: "forbidden for black",
    candidate: "candidate",
  };

  // Column and row from 0 of "H8"; null for a pass or what is no point.
  function parse(point) {
    const found = /^([A-Z])([1-9]\d?)$/.exec(point || "");
    return found && { x: found[1].charCodeAt(0) - 65, y: Number(found[2]) - 1 };
  }

  function name(x, y) {
    return String.fromCharCode(65 + x) + (y + 1);
  }

  class RenjuBoard {
    // options: onPoint(point, event), onHover(point or null), describe(point) -> text, texts (see TEXTS).
    constructor(svg, options = {}) {
      this.svg = svg;
      this.options = options;
      this.texts = { ...TEXTS, ...options.texts };
      this.cursor = "H8";
      this.view = {};
      this.size = Number(svg.dataset.size);
      this.left = Number(svg.dataset.left);
      this.bottom = Number(svg.dataset.bottom);
      this.cell = Number(svg.dataset.cell);
      const numbers = (list) => list.split(" ").map(Number);
      this.stoneRadius = Number(svg.dataset.stoneRadius);
      this.numberSizes = numbers(svg.dataset.numberSizes);
      this.textSizes = numbers(svg.dataset.textSizes);
      this.arrowHead = numbers(svg.dataset.arrowHead);
      this.arrowGaps = numbers(svg.dataset.arrowGaps);
      this.heatColors = svg.dataset.heat.split(" ");
      this.shapes = new Map();
      for (const shape of svg.querySelectorAll("defs > [data-shape]")) this.shapes.set(shape.dataset.shape, shape);
      this.coordinates = new Map();
      for (const text of svg.querySelectorAll(".coordinates text")) this.coordinates.set(text.textContent, text);
      this.live = document.createElement("div");
      this.live.className = "rb-live";
      this.live.setAttribute("aria-live", "polite");
      svg.after(this.live);
      svg.setAttribute("aria-label", this.texts.board);
      svg.classList.toggle("rb-active", Boolean(options.onPoint));
      this.listen();
      this.show({});
    }

    // Shows a position; what the view does not name is not shown. All but `numbers` may be left out:
    // stones [{point, color, number}], last, win [points], forbidden {point: kind}, labels {point: text},
    // heat {point: 0..1}, candidates [{point, text, rank}], arrows [{from, to, kind}] (move, attack, defence),
    // ghost [{point, color, number}] for the stones of a line, numbers (true unless false).
    show(view) {
      this.view = view;
      const stones = (view.stones || []).filter((stone) => parse(stone.point));
      const ghosts = (view.ghost || []).filter((stone) => parse(stone.point));
      this.stones = new Map();
      for (const stone of [...stones, ...ghosts]) this.stones.set(stone.point, stone);
      const labels = Object.entries(view.labels || {});
      const marks = Object.entries(view.forbidden || {}).filter(([point]) => !this.stones.has(point));
      const heat = Object.entries(view.heat || {});
      this.fill("heat", heat.map(([point, value]) => this.heat(point, value)));
      this.fill("win", [this.band(view.win || [])]);
      this.fill("stones", stones.map((stone) => this.stone(stone)));
      this.fill("ghost", ghosts.map((stone) => this.stone(stone, "ghost")));
      this.fill("numbers", this.numbered(stones, ghosts, view).map((stone) => this.number(stone)));
      this.fill("last", [this.place("last", view.last)]);
      this.fill("forbidden", marks.map(([point, kind]) => this.mark(point, kind)));
      const arrows = (view.arrows || []).map((arrow) => this.arrow(arrow)).filter(Boolean);
      this.fill("shafts", arrows.map(([shaft]) => shaft));
      this.fill("heads", arrows.map(([, head]) => head));
      this.fill("candidates", (view.candidates || []).map((candidate) => this.candidate(candidate)).reverse());
      this.fill("labels", labels.map(([point, text]) => this.label(point, text)));
      this.showHover();
      this.fill("cursor", [this.place("cursor", this.cursor)]);
    }

    // What a screen reader hears of a point.
    describe(point) {
      const own = this.options.describe && this.options.describe(point);
      if (own) return own;
      const stone = this.stones.get(point);
      const parts = [stone ? this.stoneText(stone) : this.texts.empty];
      const kind = (this.view.forbidden || {})[point];
      if (kind && !stone) parts.push(`${this.texts.forbidden} (${this.texts[kind] || kind})`);
      const candidate = (this.view.candidates || []).find((one) => one.point === point);
      if (candidate) parts.push(`${this.texts.candidate} ${candidate.rank} ${candidate.text || ""}`.trim());
      const label = (this.view.labels || {})[point];
      if (label) parts.push(label);
      return `${point}: ${parts.join(", ")}`;
    }

    // Says a text to screen readers.
    say(text) {
      this.live.textContent = text;
    }

    // The point nearest to an event, null outside the grid.
    pointAt(event) {
      const matrix = this.svg.getScreenCTM();
      if (!matrix) return null;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const x = Math.round((at.x - this.left) / this.cell);
      const y = Math.round((this.bottom - at.y) / this.cell);
      return x >= 0 && x < this.size && y >= 0 && y < this.size ? name(x, y) : null;
    }

    // Private from here on.

    listen() {
      const { svg } = this;
      // A click must not take the focus from where the keyboard is: the page has keys of its own.
      svg.addEventListener("mousedown", (event) => event.preventDefault());
      svg.addEventListener("pointermove", (event) => {
        if (event.pointerType !== "touch") this.hover(this.pointAt(event));
      });
      svg.addEventListener("pointerleave", () => this.hover(null));
      svg.addEventListener("blur", () => svg.classList.remove("rb-keys"));
      svg.addEventListener("click", (event) => {
        const point = this.pointAt(event);
        if (!point) return;
        this.moveCursor(point);
        this.choose(event);
      });
      svg.addEventListener("focus", () => this.say(this.describe(this.cursor)));
      svg.addEventListener("keydown", (event) => this.key(event));
    }

    key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
      const step = steps[event.key];
      if (step) {
        const { x, y } = parse(this.cursor);
        const within = (value) => Math.min(this.size - 1, Math.max(0, value));
        this.svg.classList.add("rb-keys");
        this.moveCursor(name(within(x + step[0]), within(y + step[1])));
        this.say(this.describe(this.cursor));
      } else if (event.key === "Enter" || event.key === " ") {
        this.choose(event);
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation(); // the page's own keys do not see what the board has used
    }

    choose(event) {
      if (this.options.onPoint) this.options.onPoint(this.cursor, event);
    }

    moveCursor(point) {
      this.cursor = point;
      this.fill("cursor", [this.place("cursor", point)]);
    }

    hover(point) {
      if (point === this.hovered) return;
      this.hovered = point;
      const at = parse(point);
      for (const [text, element] of this.coordinates) {
        const isHere = at && (text === point[0] || text === String(at.y + 1));
        element.classList.toggle("rb-here", Boolean(isHere));
      }
      this.showHover();
      if (this.options.onHover) this.options.onHover(point);
    }

    // The ring on an empty point under the pointer; it goes when a stone comes.
    showHover() {
      const isShown = this.hovered && this.options.onPoint && !this.stones.has(this.hovered);
      this.fill("hover", [isShown ? this.place("hover", this.hovered) : null]);
    }

    fill(layer, elements) {
      this.svg.querySelector(`.rb-${layer}`).replaceChildren(...elements.filter(Boolean));
    }

    center(point) {
      const at = parse(point);
      return at && { x: this.left + at.x * this.cell, y: this.bottom - at.y * this.cell };
    }

    copy(shape) {
      const element = this.shapes.get(shape).cloneNode(true);
      element.removeAttribute("data-shape");
      return element;
    }

    // A copy of a shape on a point; null if there is no such point.
    place(shape, point) {
      const at = this.center(point);
      if (!at) return null;
      const element = document.createElementNS(NAMESPACE, "g");
      element.setAttribute("transform", `translate(${at.x} ${at.y})`);
      element.dataset.point = point;
      element.append(this.copy(shape));
      return element;
    }

    title(element, text) {
      const title = element.querySelector("title");
      if (title) title.textContent = text;
      return element;
    }

    stoneText(stone) {
      return [this.texts[stone.color], stone.number].filter(Boolean).join(" ");
    }

    stone(stone, shape = "stone") {
      const element = this.place(`${shape}-${stone.color}`, stone.point);
      return this.title(element, `${stone.point}: ${this.stoneText(stone)}`);
    }

    numbered(stones, ghosts, view) {
      const labels = view.labels || {};
      const shown = view.numbers === false ? ghosts : [...stones, ...ghosts];
      return shown.filter((stone) => stone.number && !labels[stone.point]);
    }

    number(stone) {
      const element = this.place(`number-${stone.color}`, stone.point);
      return this.write(element, String(stone.number), this.numberSizes, 1);
    }

    mark(point, kind) {
      if (!this.shapes.has(`forbidden-${kind}`)) return null;
      const element = this.place(`forbidden-${kind}`, point);
      return element && this.title(element, `${point}: ${this.texts.forbidden} (${this.texts[kind] || kind})`);
    }

    heat(point, value) {
      const element = this.place("heat", point);
      const level = Math.round(Math.min(1, Math.max(0, value)) * (this.heatColors.length - 1));
      if (element) element.querySelector("rect").setAttribute("fill", this.heatColors[level]);
      return element;
    }

    candidate({ point, text, rank }) {
      const isOnStone = this.stones.has(point);
      const name = isOnStone ? "badge" : "candidate";
      let look = rank; // those behind the last look like it
      while (!this.shapes.has(`${name}-${look}`) && look > 1) look -= 1;
      const element = this.place(`${name}-${look}`, point);
      const content = String(isOnStone || !text ? rank : text);
      return element && this.write(element, content, this.textSizes, isOnStone ? 0.65 : 1);
    }

    label(point, text) {
      const stone = this.stones.get(point);
      const element = this.place(`label-${stone ? stone.color : "empty"}`, point);
      return element && this.write(element, text, this.textSizes, 1);
    }

    write(element, content, sizes, scale) {
      const text = element.querySelector("text");
      // Letters of East Asia are about twice as wide.
      const characters = [...content].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0) || 1;
      text.textContent = content;
      text.setAttribute("font-size", sizes[Math.min(characters, sizes.length) - 1] * scale);
      return element;
    }

    // The band below the winning stones, from the first of the row to the last.
    band(points) {
      const found = points.map((point) => this.center(point)).filter(Boolean);
      if (!found.length) return null;
      found.sort((a, b) => a.x - b.x || a.y - b.y);
      const element = this.copy("win");
      const [from, to] = [found[0], found[found.length - 1]];
      const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
      for (const [key, value] of Object.entries(ends)) element.firstElementChild.setAttribute(key, value);
      return element;
    }

    // Shaft and head of an arrow. It keeps clear of stones and candidates; on an empty point the tip is near the
    // middle.
    arrow({ from, to, kind }) {
      const [a, b] = [this.center(from), this.center(to)];
      if (!a || !b || from === to) return null;
      const length = Math.hypot(b.x - a.x, b.y - a.y);
      const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
      const [gap, tipGap, least] = this.arrowGaps;
      const clear = this.stoneRadius + gap;
      const isCandidate = (this.view.candidates || []).some((candidate) => candidate.point === to);
      let gaps = [this.stones.has(from) ? clear : 0, this.stones.has(to) || isCandidate ? clear : tipGap];
      const excess = gaps[0] + gaps[1] + least - length;
      if (excess > 0) gaps = gaps.map((one) => one * (1 - excess / (gaps[0] + gaps[1])));
      const at = (along, side) => {
        return [a.x + along * dx - side * dy, a.y + along * dy + side * dx].map((value) => value.toFixed(1));
      };
      const [start, tip] = [gaps[0], length - gaps[1]];
      const [headLength, headWidth] = this.arrowHead;
      const name = this.shapes.has(`head-${kind}`) ? kind : "move";
      const [shaft, head] = [this.copy(`shaft-${name}`), this.copy(`head-${name}`)];
      const [[x1, y1], [x2, y2]] = [at(start, 0), at(Math.max(start, tip - headLength + 2), 0)];
      for (const line of shaft.children) {
        for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(key, value);
      }
      const corners = [at(tip, 0), at(tip - headLength, headWidth / 2), at(tip - headLength, -headWidth / 2)];
      head.firstElementChild.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
      return [shaft, head];
    }
  }

  window.RenjuBoard = RenjuBoard;
})();
