import type { DecimalString } from '@l4desk/protocol';
import type { FiguresResponse } from '../../../book-worker/panes/figures.ts';

/** How much of the past the strip shows, in block time. */
export const HISTORY_MS = 60_000;

/** A bound whatever the blocks' times are: four responses a second for a minute, and some. */
const SAMPLES_MAX = 300;

/** The figures of one block that are drawn over time, as printed; null where the book had none. */
export interface Sample {
  readonly height: number;
  /** Of the block, in ms. */
  readonly time: number;
  readonly microprice: DecimalString | null;
  readonly spreadTicks: DecimalString | null;
  readonly topShare: DecimalString | null;
  /** By distance, nearest first. */
  readonly leans: readonly (DecimalString | null)[];
}

/**
 * The samples of the last minute with one more: those of other times than the live book's are not kept, nor is one twice.
 * Time that goes back begins a new history, and so does another coin's, which its caller drops.
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
