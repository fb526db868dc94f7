import { type DisplayFrames, DrawTurns } from './draw-turns.ts';
import { joinTape } from './join-tape.ts';
import { type PanesFrame, SLOW_PANES, type SlowPaneName, type SlowResponses } from './panes.ts';

/** The last responses of the slow panes, each with the frame it came with, and who draws them. */
export class SlowPaneResponses {
  readonly #listeners = new Map<SlowPaneName, Set<() => void>>();
  readonly #turns: DrawTurns;
  #responses: SlowResponses = {};

  constructor(frames: DisplayFrames | undefined) {
    this.#turns = new DrawTurns((name) => this.#notify(name), frames);
  }

  get(): SlowResponses {
    return this.#responses;
  }

  subscribe(name: SlowPaneName, listener: () => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Keeps what came with a frame. The first response to a question is drawn at once, and one of a held book. */
  keep(frame: PanesFrame): void {
    this.#turns.block();
    const come = SLOW_PANES.filter((name) => frame[name] !== undefined);
    if (come.length === 0) return;
    const before = this.#responses;
    const tape = frame.tape && joinTape(before.tape?.tape, frame.tape);
    const whole = frame.tape === undefined ? frame : { ...frame, tape };
    this.#responses = { ...before, ...Object.fromEntries(come.map((name) => [name, whole])) };
    for (const name of come) {
      const isFirst = before[name]?.[name]?.serial !== frame[name]?.serial;
      if (isFirst || frame.frozen) this.#turns.now(name);
      else this.#turns.add(name);
    }
  }

  forget(): void {
    this.#responses = {};
    for (const name of this.#listeners.keys()) this.#turns.now(name);
  }

  #notify(name: SlowPaneName): void {
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }
}
