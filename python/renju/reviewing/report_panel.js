// What the report says about a move: words, the lines that belong to it, and the panel with both.
"use strict";

// The functions for the data of one review.
function reportPanel(data) {
  const { texts } = data;

  // Words

  function fill(text, values) {
    return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
  }

  function pointText(point) {
    return point === "pass" ? texts.pass : point;
  }

  // A score of the side that moves; a sure win in words.
  function scoreText(score, winIn) {
    if (winIn !== null) return fill(winIn > 0 ? texts.wins_in : texts.loses_in, { count: Math.abs(winIn) });
    return (score > 0 ? "+" : score < 0 ? "−" : "") + Math.abs(score);
  }

  function qualityText(row) {
    return row.graded ? texts[`quality_${row.quality}`] : texts.opening_move;
  }

  function moveText(row) {
    return `${texts.move} ${row.number}: ${texts[row.color]} ${pointText(row.move)}, ${qualityText(row)}`;
  }

  // Elements; all text goes in as text, never as HTML.

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children.filter((child) => child !== null && child !== ""));
    return element;
  }

  function icon(row) {
    if (!row.graded) return "";
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    picture.setAttribute("class", `icon q-${row.quality}`);
    picture.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", `#q-${row.quality}`);
    picture.append(use);
    return picture;
  }

  // Lines

  // The lines that belong to a move, in the order of the panel: {key, name, base, moves, ...}, where `base` is
  // the number of moves before the line.
  function linesOf(row) {
    const lines = [...winsOf(row), ...candidatesOf(row)];
    const before = row.number - 1;
    if (!row.candidates.some((candidate) => candidate.move === row.best)) {
      const score = scoreText(row.best_score, row.win_in);
      lines.push({ key: "best", name: texts.best_line, tag: texts.quality_best, base: before, moves: row.pv, score });
    }
    if (!row.candidates.some((candidate) => candidate.move === row.move)) {
      const score = scoreText(row.played_score, row.played_win_in);
      const name = fill(texts.played_line, { move: pointText(row.move) });
      lines.push({ key: "played", name, tag: texts.tag_played, base: before, moves: row.played_pv, score });
    }
    return lines.filter((line) => line.moves.length);
  }

  // Forced wins: missed, allowed, or one of which is not said that it was missed.
  function winsOf(row) {
    const had = row.missed ? null : row.unclear;
    const wins = [["missed", row.missed, row.number - 1], ["win", had, row.number - 1], ["allowed", row.allowed, row.number]];
    return wins.filter(([, found]) => found).map(([key, found, base]) => {
      const kind = texts[`kind_${found.kind}`] || found.kind;
      return { key, name: `${texts[key]}: ${kind}`, isWin: true, base, moves: found.line, score: "" };
    });
  }

  function candidatesOf(row) {
    return row.candidates.map((candidate, index) => {
      const isBest = candidate.move === row.best;
      const tags = [isBest ? texts.quality_best : "", candidate.move === row.move ? texts.tag_played : ""];
      return {
        key: isBest ? "best" : `candidate-${index}`,
        rank: index + 1,
        name: isBest ? texts.best_line : fill(texts.candidate_line, { rank: index + 1 }),
        tag: tags.filter(Boolean).join(", "),
        base: row.number - 1,
        moves: isBest && row.pv.length ? row.pv : candidate.pv,
        score: scoreText(candidate.score, candidate.win_in),
      };
    });
  }

  function lineButton(line) {
    const rank = make("span", { class: `rank rank-${line.rank || 0}` }, line.rank ? String(line.rank) : "▸");
    const moves = make("span", { class: "line" });
    if (line.isWin) moves.append(make("b", {}, line.name), " ");
    line.moves.forEach((move) => moves.append(make("i", {}, pointText(move)), " "));
    if (line.tag) moves.append(make("small", {}, line.tag));
    const score = make("span", { class: "score" }, line.score);
    return make("button", { type: "button", "data-line": line.key, class: `line-button ${line.key}` }, rank, moves, score);
  }

  // The panel

  function panelOf(row) {
    const stone = make("span", { class: `stone-${row.color}`, role: "img", "aria-label": texts[row.color] });
    const word = make("span", { class: row.graded ? `word q-${row.quality}` : "word" }, icon(row), qualityText(row));
    const parts = [make("h2", {}, `${row.number} `, stone, `${pointText(row.move)} `, word), factsOf(row)];
    // Of a forced win the list below tells all.
    if (row.comment && !row.missed && !row.allowed) parts.push(make("p", { class: "comment" }, row.comment));
    const lines = linesOf(row).map((line) => make("li", {}, lineButton(line)));
    if (lines.length) parts.push(make("ul", { class: "lines", "aria-label": texts.lines }, ...lines));
    const terms = termsOf(row);
    if (terms) parts.push(terms);
    return parts;
  }

  function factsOf(row) {
    const facts = [
      [texts.played, pointText(row.move), scoreText(row.played_score, row.played_win_in)],
      [texts.best, pointText(row.best), scoreText(row.best_score, row.win_in)],
    ];
    // A loss from or to a sure win is no number that says anything.
    if (row.loss && row.win_in === null && row.played_win_in === null) facts.push([texts.loss, String(row.loss), ""]);
    if (row.depth) facts.push([texts.depth, String(row.depth), ""]);
    return make("dl", {}, ...facts.map(([name, value, score]) => {
      return make("div", {}, make("dt", {}, name), make("dd", {}, make("b", {}, value), score && ` ${score}`));
    }));
  }

  function termsOf(row) {
    const both = [[row.best, row.breakdown], [row.move, row.played_breakdown]];
    const columns = both.filter(([, terms]) => Object.keys(terms).length);
    if (columns.length === 2 && row.best === row.move) columns.pop();
    if (!columns.length) return null;
    const names = new Set(columns.flatMap(([, terms]) => Object.keys(terms)));
    const head = make("tr", {}, make("th", { scope: "col" }, texts.term));
    for (const [point] of columns) head.append(make("th", { scope: "col" }, pointText(point)));
    const body = [...names].map((name) => {
      const line = make("tr", {}, make("th", { scope: "row" }, texts[`term_${name}`] || name));
      for (const [, terms] of columns) line.append(make("td", {}, String(terms[name] || 0)));
      return line;
    });
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
    return make("details", {}, make("summary", {}, texts.breakdown), table);
  }

  return { fill, icon, linesOf, make, moveText, panelOf };
}
