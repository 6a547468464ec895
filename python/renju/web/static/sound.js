// The sound of a stone: a short knock, made here.

let context = null;

export function knock() {
  try {
    context = context || new AudioContext();
    const [now, gain, tone] = [context.currentTime, context.createGain(), context.createOscillator()];
    tone.frequency.setValueAtTime(900, now);
    tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
    gain.gain.setValueAtTime(0.25, now);
    gain.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
    tone.connect(gain).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.1);
  } catch {
    // No sound device: the board works without.
  }
}
