import { lookOf } from './series.ts';

/** The legend of a coin's line: its letter, and a piece of the line. */
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
