/** How a coin of the chart is distinguished from the others: by colour, dash and letter. */
export interface SeriesLook {
  readonly letter: string;
  readonly colour: string;
  /** The SVG dash array; undefined for a solid line. */
  readonly dash: string | undefined;
}

/** The gaps are about as long as the dashes: where lines overlap, the lower ones show through. */
const DASHES = [undefined, '6 6', '2 4', '10 5 2 5', '14 10', '5 3 1 3', '1 5', '9 3 2 3 2 3'] as const;

/** The most coins on one chart. */
export const COINS_MAX = 8;

/** Number of initial coins: the rate of a single one says little. */
export const COINS_AT_FIRST = 3;

/** The look of the coin at an index of the list. */
export function lookOf(at: number): SeriesLook {
  return {
    letter: String.fromCharCode(65 + at),
    colour: `var(--series-${(at % COINS_MAX) + 1})`,
    dash: DASHES[at % COINS_MAX],
  };
}
