/** One line of the benchmark table: our figure next to a bare limit or a peer, measured in the same run. */
export interface BenchRow {
  /** What was measured, e.g. `apply, 60,000 orders`. */
  readonly item: string;
  /** Our figure with its unit. */
  readonly ours: string;
  /** The limit or peer that it is compared with, with its name, figure and unit. */
  readonly limit: string;
  /** The ratio that the bar applies to, or null if the bar is an absolute figure. */
  readonly ratio: number | null;
  /** The bar in words, e.g. `≥ 8×`. */
  readonly bar: string;
  /** Whether this run meets the bar. */
  readonly pass: boolean;
}

/** Result of the default export of a `*.bench.ts` file, which either yields rows as they are measured or returns them all. */
export type BenchRows = AsyncIterable<BenchRow> | Promise<readonly BenchRow[]>;
