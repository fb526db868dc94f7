import type { DrawTurns } from './draw-turns.ts';
import { joinTape } from './join-tape.ts';
import { type PanesFrame, SLOW_PANES, type SlowPaneName, type SlowResponses } from './panes.ts';

/** The last responses of the slow panes, each with the frame it came with, and their listeners. */
export class SlowPaneResponses {
  readonly #panes = new Map<SlowPaneName, Listeners>();
  readonly #turns: DrawTurns;
  #responses: SlowResponses = {};

  constructor(turns: DrawTurns) {
    this.#turns = turns;
  }

  get(): SlowResponses {
    return this.#responses;
  }

  subscribe(name: SlowPaneName, listener: () => void): () => void {
    const { listeners } = this.#pane(name);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Stores a frame's responses. The first response to a request and those of a held book are drawn at once. */
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
      const { draw } = this.#pane(name);
      if (isFirst || frame.frozen) this.#turns.now(draw);
      else this.#turns.add(draw);
    }
  }

  forget(): void {
    this.#responses = {};
    for (const { draw } of this.#panes.values()) this.#turns.now(draw);
  }

  #pane(name: SlowPaneName): Listeners {
    const known = this.#panes.get(name);
    if (known !== undefined) return known;
    const listeners = new Set<() => void>();
    const draw = () => {
      for (const listener of listeners) listener();
    };
    const pane = { listeners, draw };
    this.#panes.set(name, pane);
    return pane;
  }
}

/** The listeners of a pane, and the callback that notifies all of them. */
interface Listeners {
  readonly listeners: Set<() => void>;
  readonly draw: () => void;
}
