/** The gaps are about as long as the dashes: where lines overlap, the lower ones show through. */
const DASHES = [undefined, '6 6', '2 4', '10 5 2 5', '14 10', '5 3 1 3', '1 5', '9 3 2 3 2 3'] as const;

export const COINS_MAX = 8;

export const COINS_AT_FIRST = 3;

/** The look of the coin at an index of the list. */
export function lookOf(at: number) {
  return {
    letter: String.fromCharCode(65 + at),
    colour: `var(--series-${(at % COINS_MAX) + 1})`,
    dash: DASHES[at % COINS_MAX],
  };
}

export function SeriesMark({ at }: { readonly at: number }) {
  const { letter, colour, dash } = lookOf(at);
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      <span className="num text-11 font-semibold text-strong">{letter}</span>
      <svg width={24} height={8} aria-hidden className="shrink-0">
        <line x1={0} x2={24} y1={4} y2={4} stroke={colour} strokeWidth={2} strokeDasharray={dash} />
      </svg>
    </span>
  );
}
