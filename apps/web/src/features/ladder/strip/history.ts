import type { DecimalString } from '@l4desk/protocol';
import type { FiguresResponse } from '../../../book-worker/panes/figures.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';

/** How much of the past the strip shows at most, in block time. */
const HISTORY_MS = 180_000;

/** Lines over a minute move about a pixel a second: they are redrawn no more often. */
const DRAWN_EVERY_MS = 1_000;

/** Samples closer than this are thinned out: while blocks are played, there are fifteen a second. */
const APART_MS = 150;

/** The figures of one block that are drawn over time, as printed; null if the book had none. */
export interface Sample {
  readonly height: number;
  /** Time of the block, in ms. */
  readonly time: number;
  readonly microprice: DecimalString | null;
  readonly spreadTicks: DecimalString | null;
  readonly topShare: DecimalString | null;
  /** By distance, nearest first. */
  readonly leans: readonly (DecimalString | null)[];
}

/** The minutes before the shown block of one coin: a store that notifies its listeners when a redraw is due. */
export class FigureHistory {
  readonly #listeners = new Set<() => void>();
  #samples: readonly Sample[] = [];
  /** Time of the shown block, in ms. */
  #time = 0;
  #drawn: readonly Sample[] = [];
  #coin: string | undefined;
  #epoch: string | undefined;
  #serial: number | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The drawn samples; they stay the same until the next redraw. */
  readonly drawn = (): readonly Sample[] => this.#drawn;

  /** Stores the figures of a frame; returns whether a redraw is due. Another coin, epoch or request restarts the history. */
  keep({ coin, epoch, figures }: Pick<PanesFrame, 'coin' | 'epoch' | 'figures'>): boolean {
    const serial = figures?.serial ?? this.#serial;
    const isOther = coin !== this.#coin || epoch !== this.#epoch || serial !== this.#serial;
    if (isOther) {
      [this.#coin, this.#epoch, this.#serial] = [coin, epoch, serial];
      [this.#samples, this.#drawn] = [[], []];
    }
    if (figures !== undefined) {
      this.#samples = withSample(this.#samples, figures);
      this.#time = figures.time;
    }
    const passed = this.#time - (this.#drawn.at(-1)?.time ?? 0);
    return isOther || passed < 0 || passed >= DRAWN_EVERY_MS;
  }

  readonly draw = (): void => {
    const end = this.#time;
    this.#drawn = this.#samples.filter(({ time }) => time <= end && time > end - HISTORY_MS);
    for (const listener of this.#listeners) listener();
  };
}

/**
 * The samples of the minutes before the newest block seen and of those around a shown block, by time, with one of it. Repeated
 * responses are ignored.
 */
export function withSample(history: readonly Sample[], response: FiguresResponse): readonly Sample[] {
  const { height, time } = response;
  const newest = Math.max(time, history.at(-1)?.time ?? time);
  const isKept = (sample: Sample) => Math.abs(sample.time - time) < HISTORY_MS || newest - sample.time < HISTORY_MS;
  const kept = history.filter((sample) => sample.height !== height && isKept(sample));
  const at = kept.findLastIndex((sample) => sample.time <= time) + 1;
  const isClose = (one: number, other: number) => (kept[other]?.time ?? Infinity) - (kept[one]?.time ?? 0) < APART_MS;
  const before = isClose(at - 2, at - 1) ? at - 1 : at;
  const after = isClose(at, at + 1) ? at + 1 : at;
  return [...kept.slice(0, before), sampleOf(response), ...kept.slice(after)];
}

function sampleOf({ height, time, figures }: FiguresResponse): Sample {
  return {
    height,
    time,
    microprice: figures?.microprice ?? null,
    spreadTicks: figures?.spreadTicks ?? null,
    topShare: figures?.topOwner?.share ?? null,
    leans: figures?.imbalances.map(({ lean }) => lean) ?? [],
  };
}
