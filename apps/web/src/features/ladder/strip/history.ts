import type { DecimalString } from '@l4desk/protocol';
import type { FiguresResponse } from '../../../book-worker/panes/figures.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';

/** How much of the past the strip shows, in block time. */
export const HISTORY_MS = 60_000;

/** Lines over a minute move about a pixel a second: they are redrawn no more often. */
const DRAWN_EVERY_MS = 1_000;

/** A limit whatever the block times are: a little more than four responses a second for a minute. */
const SAMPLES_MAX = 300;

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

/** The last minute of one coin: a store that notifies its listeners when a redraw is due. */
export class FigureHistory {
  readonly #listeners = new Set<() => void>();
  #samples: readonly Sample[] = [];
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
    if (figures !== undefined) this.#samples = withSample(this.#samples, figures);
    const passed = (this.#samples.at(-1)?.time ?? 0) - (this.#drawn.at(-1)?.time ?? 0);
    return isOther || passed < 0 || passed >= DRAWN_EVERY_MS;
  }

  readonly draw = (): void => {
    this.#drawn = this.#samples;
    for (const listener of this.#listeners) listener();
  };
}

/**
 * The samples of the last minute with one added. Responses not of the live book, and repeated ones, are ignored. A time that goes
 * back restarts the history; another coin does too, which is up to the caller.
 */
export function withSample(history: readonly Sample[], response: FiguresResponse): readonly Sample[] {
  if (!response.live) return history;
  const last = history.at(-1);
  if (last !== undefined && last.height === response.height) return history;
  const sample = sampleOf(response);
  if (last !== undefined && response.time < last.time) return [sample];
  const kept = history.filter(({ time }) => time > response.time - HISTORY_MS);
  return [...kept.slice(Math.max(0, kept.length - SAMPLES_MAX + 1)), sample];
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
