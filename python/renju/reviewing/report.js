// The report's page: a position of the game or of a line on the board, and what there is to say about it.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { moves: rows, rules, texts } = data;
  const { fill, icon, linesOf, make, moveText, panelOf } = reportPanel(data);
  const count = rows.length;
  const find = (selector) => document.querySelector(selector);
  const play = find(".play");
  const slider = find("input[type=range]");
  const graph = find(".scores");
  const heights = graph.dataset.heights.split(",");
  const panel = find(".panel");
  const shown = {}; // the switches, by name
  const stops = rows.filter((row) => isMistake(row)).map((row) => row.number);

  // What is shown: the position after `number` moves, or a line from there or from before the move.
  let number = 0;
  let line = null; // {key, name, base, moves, step}

  const board = new RenjuBoard(find(".renju-board"), { texts, onPoint: choose });

  function isMistake(row) {
    if (row.missed || row.allowed) return true;
    return row.graded && (row.quality === "mistake" || row.quality === "blunder");
  }

  // Lines

  function startLine(key) {
    const found = number && linesOf(rows[number - 1]).find((one) => one.key === key);
    if (!found) return;
    line = { ...found, step: 1 };
    render();
  }

  function endLine() {
    line = null;
    render();
  }

  const opponent = (color) => (color === "black" ? "white" : "black");

  // Who moves after so many moves.
  function colorAt(ply) {
    if (ply < count) return rows[ply].color;
    return count ? opponent(rows[count - 1].color) : data.setup.turn;
  }

  // What the board shows

  function stonesAfter(ply) {
    const stones = [];
    for (const color of ["black", "white"]) {
      for (const point of data.setup[color]) stones.push({ point, color });
    }
    for (const row of rows.slice(0, ply)) stones.push({ point: row.move, color: row.color, number: row.number });
    return stones;
  }

  function lineView() {
    const moves = line.moves.slice(0, line.step);
    const key = `${line.base}:${moves.join(" ")}`;
    const first = colorAt(line.base);
    return {
      stones: stonesAfter(line.base),
      ghost: moves.map((point, i) => ({ point, color: i % 2 ? opponent(first) : first, number: i + 1 })),
      last: line.step ? moves[line.step - 1] : undefined,
      win: rules.ends[key],
      forbidden: shown.forbidden ? rules.fouls[key] : {},
      numbers: false, // the numbers on the board are those of the line
    };
  }

  function gameView() {
    const row = number ? rows[number - 1] : null;
    const view = {
      stones: stonesAfter(number),
      last: row ? row.move : undefined,
      win: rules.ends[`${number}:`],
      forbidden: shown.forbidden ? { ...rules.fouls[`${number}:`] } : {},
      numbers: shown.numbers,
    };
    if (!row) return view;
    const candidates = row.candidates.filter((candidate) => candidate.move !== "pass");
    if (shown.candidates) {
      view.candidates = candidates.map((candidate, i) => ({ point: candidate.move, rank: i + 1 }));
      for (const candidate of candidates) delete view.forbidden[candidate.move];
    }
    if (shown.heat) {
      view.heat = {};
      for (const candidate of candidates) {
        const loss = row.best_score - candidate.score;
        view.heat[candidate.move] = Math.max(0.1, Math.exp(-Math.max(0, loss) / (data.grades.inaccuracy || 1)));
      }
    }
    if (shown.arrows && row.move !== "pass") {
      const better = candidates.filter((one) => one.move !== row.move && one.score > row.played_score);
      const kind = (one) => (one.move === row.best ? "move" : "defence");
      view.arrows = better.map((one) => ({ from: row.move, to: one.move, kind: kind(one) }));
    }
    return view;
  }

  // The parts of the page

  function render() {
    board.show(line ? lineView() : gameView());
    renderStatus();
    slider.value = number;
    const row = number ? rows[number - 1] : null;
    slider.setAttribute("aria-valuetext", row ? moveText(row) : texts.start_position);
    const x = `${count ? (100 * number) / count : 0}%`;
    const now = graph.querySelector(".now");
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    const here = graph.querySelector(".here");
    here.setAttribute("cx", x);
    here.setAttribute("cy", `${heights[number] || 50}%`);
    here.setAttribute("visibility", heights[number] ? "visible" : "hidden");
    for (const old of document.querySelectorAll("tr[aria-current]")) old.removeAttribute("aria-current");
    const current = document.getElementById(`m${number}`);
    if (current) current.setAttribute("aria-current", "true");
    renderPanel(row);
  }

  function renderStatus() {
    const status = find("[role=status]");
    const row = number ? rows[number - 1] : null;
    find("[data-do=back]").hidden = !line;
    play.classList.toggle("in-line", Boolean(line));
    if (line) {
      const values = { name: line.name, step: line.step, count: line.moves.length };
      status.replaceChildren(fill(texts.line_status, values));
    } else if (row) {
      status.replaceChildren(icon(row), moveText(row));
    } else {
      status.replaceChildren(texts.start_position);
    }
  }

  let panelNumber = null;

  function renderPanel(row) {
    if (panelNumber !== number) {
      panelNumber = number;
      panel.replaceChildren(...(row ? panelOf(row) : [make("h2", {}, texts.start_position)]));
    }
    for (const button of panel.querySelectorAll("[data-line]")) {
      const isOn = line !== null && line.key === button.dataset.line;
      button.setAttribute("aria-pressed", isOn);
      button.querySelectorAll("i").forEach((move, i) => move.classList.toggle("done", isOn && i < line.step));
    }
  }

  // Moves

  function go(target) {
    line = null;
    number = Math.min(count, Math.max(0, target));
    render();
  }

  function step(by) {
    if (!line) return go(number + by);
    line.step = Math.min(line.moves.length, Math.max(0, line.step + by));
    render();
  }

  function goToMistake(direction) {
    const found = direction > 0 ? stops.find((stop) => stop > number) : stops.findLast((stop) => stop < number);
    if (found !== undefined) go(found);
  }

  function choose(point) {
    const played = rows.findLast((row) => row.move === point && row.number <= number);
    if (played) return go(played.number);
    const row = number && !line ? rows[number - 1] : null;
    const candidate = row && row.candidates.findIndex((one) => one.move === point);
    if (row && candidate >= 0) startLine(point === row.best ? "best" : `candidate-${candidate}`);
  }

  const actions = {
    first: () => (line ? step(-Infinity) : go(0)),
    previous: () => step(-1),
    next: () => step(1),
    last: () => (line ? step(Infinity) : go(count)),
    next_mistake: () => goToMistake(1),
    previous_mistake: () => goToMistake(-1),
    best: () => startLine("best"),
    back: endLine,
  };
  const keys = {
    ArrowLeft: "previous",
    ArrowRight: "next",
    Home: "first",
    End: "last",
    n: "next_mistake",
    p: "previous_mistake",
    b: "best",
    Escape: "back",
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = keys[key];
    if (!name) return;
    event.preventDefault();
    actions[name]();
  });

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-do], [data-line], [data-play], [data-go]");
    if (!target) return;
    if (target.dataset.do) return actions[target.dataset.do]();
    if (target.dataset.line) {
      if (line && line.key === target.dataset.line) step(1);
      else startLine(target.dataset.line);
    } else {
      event.preventDefault();
      go(Number(target.dataset.go || target.dataset.number));
      if (target.dataset.play) startLine(target.dataset.play);
    }
    find(".frame").scrollIntoView({ block: "nearest" });
  });

  slider.addEventListener("input", () => go(Number(slider.value)));

  for (const box of document.querySelectorAll("[data-show]")) {
    shown[box.dataset.show] = box.checked;
    box.addEventListener("change", () => {
      shown[box.dataset.show] = box.checked;
      render();
    });
  }

  // Pressing and dragging in the graph.
  function seek(event) {
    const box = graph.getBoundingClientRect();
    go(Math.round((count * (event.clientX - box.left)) / box.width));
  }
  graph.parentElement.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("a")) seek(event);
  });
  graph.parentElement.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) seek(event);
  });

  // A link to a move (#m12) opens the page there; else it opens where the game was lost.
  function fromAddress() {
    const found = /^#m(\d+)$/.exec(location.hash);
    return found ? Number(found[1]) : null;
  }
  window.addEventListener("hashchange", () => {
    if (fromAddress() !== null) go(fromAddress());
  });
  document.documentElement.classList.add("scripted");
  go(fromAddress() ?? (data.turning_point ? data.turning_point.number : count));
})();
