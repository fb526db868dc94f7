import type { OrderRow } from './order-rows.ts';
import { useHasLeft } from './place-cell.tsx';
import { FILLED_BY_FILLS, rowOutcome } from './row-outcome.ts';
import type { RowFills } from './use-fills.ts';

/** Shown on a narrow screen, which has no type column: a waiting trigger must not look like a resting order. */
export function TriggerMark({ type }: { readonly type: string | undefined }) {
  const word = type?.startsWith('Stop') ? 'stop' : type?.startsWith('Take Profit') ? 'TP' : 'trigger';
  return <span className="ml-1 shrink-0 text-11 text-stale sm:hidden">{word}</span>;
}

/** `isShort`: on a narrow screen only the letter is visible. */
export function Side({ side, isShort = false }: { readonly side: string; readonly isShort?: boolean }) {
  if (side !== 'B' && side !== 'A') return <span className="num text-12 text-stale">{side}</span>;
  return (
    <span className={side === 'B' ? 'text-bid' : 'text-ask'}>
      <span className="num text-12">{side}</span>{' '}
      <span className={isShort ? 'max-sm:sr-only' : undefined}>{side === 'B' ? 'buy' : 'sell'}</span>
    </span>
  );
}

export function OutcomeCell({ row, fills }: { readonly row: OrderRow; readonly fills: RowFills | undefined }) {
  const text = rowOutcome(row, fills);
  const isBefore = useHasLeft(row) && text !== FILLED_BY_FILLS;
  if (text === '') return <None what="Status and sizes do not determine the outcome" />;
  const shown = isBefore ? `was ${text}` : text;
  return (
    <span
      className={isBefore ? 'truncate text-dim' : 'truncate'}
      title={isBefore ? `${shown} when loaded; it has left the book since` : shown}
    >
      {shown}
    </span>
  );
}

export function Leg({ of }: { readonly of: OrderRow }) {
  return (
    <span className="truncate text-dim">
      leg of <span className="num text-12">{of.order.oid}</span>
    </span>
  );
}

export function known(text: string | undefined, why = 'Not reported by this call') {
  return text ?? <None what={why} />;
}

export function yesNo(value: boolean | undefined, word: string) {
  return known(value === false ? '' : value && word);
}

/** Whether there are none or they are not known. */
export function NoFills({ found: { kind, why } }: { readonly found: Exclude<RowFills, { kind: 'filled' }> }) {
  return <None what={why} mark={kind === 'none' ? '–' : '?'} />;
}

export function None({ what, mark = '–' }: { readonly what: string; readonly mark?: '–' | '?' }) {
  return (
    <span className={mark === '?' ? 'text-stale' : 'text-dim'} title={what}>
      {mark}
      <span className="sr-only">{what}</span>
    </span>
  );
}
