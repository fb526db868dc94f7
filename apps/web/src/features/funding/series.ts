/** How one coin of the chart is told from the others: by colour, by dash and by letter. */
export interface SeriesLook {
  readonly letter: string;
  readonly colour: string;
  /** Of SVG; undefined is a whole line. */
  readonly dash: string | undefined;
}

/** Gaps as long as the dashes, about: where lines lie on each other, those below show through. */
const DASHES = [undefined, '6 6', '2 4', '10 5 2 5', '14 10', '5 3 1 3', '1 5', '9 3 2 3 2 3'] as const;

/** Coins on one chart. */
export const COINS_MAX = 8;

/** Coins that the page opens with: the rate of one alone says little. */
export const COINS_AT_FIRST = 3;

/** The look of the coin at a place of the list. */
export function lookOf(at: number): SeriesLook {
  return {
    letter: String.fromCharCode(65 + at),
    colour: `var(--series-${(at % COINS_MAX) + 1})`,
    dash: DASHES[at % COINS_MAX],
  };
}
