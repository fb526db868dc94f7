import type { Figures } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';

/** The figures of one block that are drawn over time, as printed; null if the book had none. */
export interface Sample {
  readonly time: number;
  readonly microprice: DecimalString | null;
  readonly spreadTicks: DecimalString | null;
  readonly topShare: DecimalString | null;
  readonly leans: readonly (DecimalString | null)[];
}

/** How much of the past the strip shows at most, in block time. */
const HISTORY_MS = 180_000;

/** A minute is 64 px wide: samples closer than this would share a pixel. */
const APART_MS = 900;

/** Half an hour of samples. */
const SAMPLES_MAX = 2_000;

/** Figures of the followed book over time, whether the page shows them or not, and of the other blocks that were shown. */
export class FiguresHistory {
  #samples: readonly Sample[] = [];

  /** Whether no sample is close to this time. */
  isDue(time: number): boolean {
    const before = this.#samples.findLast((sample) => sample.time <= time);
    const after = this.#samples.find((sample) => sample.time > time);
    return (
      time - (before?.time ?? Number.NEGATIVE_INFINITY) >= APART_MS && (after?.time ?? Infinity) - time >= APART_MS
    );
  }

  note(time: number, figures: Figures | undefined): void {
    const at = this.#samples.findLastIndex((sample) => sample.time < time) + 1;
    this.#samples = [...this.#samples.slice(0, at), sampleOf(time, figures), ...this.#samples.slice(at)].slice(
      -SAMPLES_MAX,
    );
  }

  /** The minutes before a block, with its own figures at the end. */
  upTo(time: number, figures: Figures | undefined): readonly Sample[] {
    const before = this.#samples.filter((sample) => sample.time < time && sample.time > time - HISTORY_MS);
    return [...before, sampleOf(time, figures)];
  }
}

function sampleOf(time: number, figures: Figures | undefined): Sample {
  return {
    time,
    microprice: figures?.microprice ?? null,
    spreadTicks: figures?.spreadTicks ?? null,
    topShare: figures?.topOwner?.share ?? null,
    leans: figures?.imbalances.map(({ lean }) => lean) ?? [],
  };
}
