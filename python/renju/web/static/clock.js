// Clocks of the two sides. They run while a game is played; who has no time left is told, and may play on.

import { t } from "./texts.js";
import { byId, colorText, make } from "./view.js";

const TICK = 200; // ms

function text(seconds) {
  const rest = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
}

export class Clock {
  // `state()` tells {clock, turn, isRunning}, where clock is {black, white} in seconds or null.
  constructor(state, onLate) {
    this.state = state;
    this.onLate = onLate;
    this.last = performance.now();
    setInterval(() => this.tick(), TICK);
  }

  tick() {
    const now = performance.now();
    const passed = (now - this.last) / 1000;
    this.last = now;
    const { clock, turn, isRunning } = this.state();
    if (clock && isRunning && clock[turn] > 0) {
      clock[turn] -= passed;
      if (clock[turn] <= 0) this.onLate(turn);
    }
    this.show(clock, turn, isRunning);
  }

  show(clock, turn, isRunning) {
    const place = byId("clocks");
    place.hidden = !clock;
    if (!clock) return;
    const spans = ["black", "white"].map((color) => {
      const isLate = clock[color] <= 0;
      const className = `${isRunning && color === turn ? "running" : ""} ${isLate ? "late" : ""}`;
      const disc = make("i", { className: `disc ${color}` });
      const label = t("clockOf", { who: colorText(color) });
      return make("span", { className, title: label }, disc, ` ${text(clock[color])}`);
    });
    place.replaceChildren(...spans);
  }
}
