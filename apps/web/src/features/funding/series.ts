/** How one coin of the chart is told from the others: by colour, by dash and by letter. */
export interface SeriesLook {
  readonly letter: string;
  readonly colour: string;
  /** Of SVG; undefined is a whole line. */
  readonly dash: string | undefined;
}

const DASHES = [undefined, '7 3', '2 3', '10 3 2 3', '14 5', '5 2 1 2', '1 4', '10 2 2 2 2 2'] as const;

/** Coins on one chart. */
export const COINS_MAX = 8;

/** The look of the coin at a place of the list. */
export function lookOf(at: number): SeriesLook {
  return {
    letter: String.fromCharCode(65 + at),
    colour: `var(--series-${(at % COINS_MAX) + 1})`,
    dash: DASHES[at % COINS_MAX],
  };
}
