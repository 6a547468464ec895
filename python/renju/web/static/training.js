// A person's training with puzzles: a rating, and what is to be repeated. It knows nothing of the page: a training is a
// plain value, kept by the browser and in files.

const FORMAT = "renju-training";
const VERSION = 1;
const DAY = 24 * 3600 * 1000; // ms
const STEPS = [600_000, DAY, 3 * DAY, 7 * DAY, 21 * DAY]; // ms until a puzzle that failed comes again, and after each success
const MOST_HISTORY = 500; // ratings that are kept
const MOST_PUZZLES = 100_000; // of a file

// Glicko: the deviation tells how sure the rating is.
const START = { value: 1500, deviation: 350 };
const LEAST_DEVIATION = 60; // so that the rating keeps moving
const PUZZLE_DEVIATION = 100; // a difficulty has only ten steps
const FORGET_DAYS = 365; // without a puzzle, until a sure rating is as unsure as a new one
const Q = Math.LN10 / 400;
const EASIEST = 1000; // the rating of difficulty 0
const STEP = 120; // for each of the players of the panel that does not find the solution

export const newTraining = () => ({ format: FORMAT, version: VERSION, rating: { ...START, time: null }, puzzles: {}, history: [] });

export const puzzleRating = ({ difficulty }) => EASIEST + STEP * difficulty;

// The deviation grows while nobody trains.
function deviationAt({ deviation, time }, now) {
  const days = time === null ? 0 : Math.max(0, now - time) / DAY;
  const growth = ((START.deviation ** 2 - LEAST_DEVIATION ** 2) / FORGET_DAYS) * days;
  return Math.min(START.deviation, Math.sqrt(deviation ** 2 + growth));
}

// The rating after a puzzle, by the formulas of Glicko for one game.
export function rated(rating, puzzle, score, now) {
  const deviation = deviationAt(rating, now);
  const weight = 1 / Math.sqrt(1 + (3 * Q ** 2 * PUZZLE_DEVIATION ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + 10 ** ((-weight * (rating.value - puzzleRating(puzzle))) / 400));
  const information = Q ** 2 * weight ** 2 * expected * (1 - expected);
  const precision = 1 / deviation ** 2 + information;
  const value = rating.value + (Q / precision) * weight * (score - expected);
  return { value, deviation: Math.max(LEAST_DEVIATION, Math.sqrt(1 / precision)), time: now };
}

// The training after a puzzle: score 1, or 1/2 with a hint, or 0. Only the first try of a puzzle is rated.
export function recorded(training, puzzle, score, now) {
  const old = training.puzzles[puzzle.id] || { tries: 0, first: score, box: null, due: null, last: null };
  let box = null; // learnt, or never failed
  if (score < 1) box = 0;
  else if (old.box !== null && old.box + 1 < STEPS.length) box = old.box + 1;
  const entry = { tries: old.tries + 1, first: old.first, box, due: box === null ? null : now + STEPS[box], last: now };
  const puzzles = { ...training.puzzles, [puzzle.id]: entry };
  if (old.tries) return { ...training, puzzles };
  const rating = rated(training.rating, puzzle, score, now);
  const history = [...training.history, [now, Math.round(rating.value)]].slice(-MOST_HISTORY);
  return { ...training, puzzles, rating, history };
}

export const isDue = (training, { id }, now) => {
  const entry = training.puzzles[id];
  return Boolean(entry && entry.due !== null && entry.due <= now);
};

// The puzzle that comes next: what is due, then what is new and nearest to the rating, then what was not seen for
// longest. Null if there is none but the one that is shown.
export function nextPuzzle(puzzles, training, now, shown) {
  const others = puzzles.filter(({ id }) => id !== shown);
  const entry = ({ id }) => training.puzzles[id];
  const least = (list, measure) => list.reduce((best, one) => (best && measure(best) <= measure(one) ? best : one), null);
  const due = others.filter((puzzle) => isDue(training, puzzle, now));
  if (due.length) return least(due, (puzzle) => entry(puzzle).due);
  const fresh = others.filter((puzzle) => !entry(puzzle));
  if (fresh.length) return least(fresh, (puzzle) => Math.abs(puzzleRating(puzzle) - training.rating.value));
  return least(others, (puzzle) => entry(puzzle).last);
}

// The training in a text; null if the text holds none.
export function readTraining(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  return isTraining(data) ? data : null;
}

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export function isTraining(data) {
  if (!isObject(data) || data.format !== FORMAT || data.version !== VERSION) return false;
  const { rating, puzzles, history } = data;
  const isRating = isObject(rating) && isNumber(rating.value) && rating.deviation > 0 && isTime(rating.time);
  if (!isRating || !isNumber(rating.deviation) || !isObject(puzzles) || !Array.isArray(history)) return false;
  const entries = Object.values(puzzles);
  return entries.length <= MOST_PUZZLES && entries.every(isEntry) && history.length <= MOST_HISTORY && history.every(isPoint);
}

const isTime = (value) => value === null || isNumber(value);
const isPoint = (row) => Array.isArray(row) && row.length === 2 && row.every(isNumber);

function isEntry(entry) {
  if (!isObject(entry) || !Number.isInteger(entry.tries) || ![0, 0.5, 1].includes(entry.first)) return false;
  const isBox = entry.box === null ? entry.due === null : Number.isInteger(entry.box) && entry.box in STEPS && isNumber(entry.due);
  return isBox && isNumber(entry.last);
}
