import { sum } from '@l4desk/decimal';
import type { FlowKind, OrderLife } from '../../../book-worker/panes/past.ts';
import { counted, decimalText, shortAddress } from '../../../ui/format.ts';
import { sumText } from '../tape/texts.ts';

/** Orders ahead are listed up to this number; the sums count all of them. */
const LISTED = 20;

const KINDS: readonly FlowKind[] = ['executed', 'canceled', 'requotedOut', 'shrunk', 'added', 'requotedIn', 'grown'];

interface AheadProps {
  readonly ahead: NonNullable<OrderLife['ahead']>;
  readonly decimals: number;
  readonly isOver: boolean;
}

/** Who was ahead when the order joined, and what happened to them. */
export function Ahead({ ahead: { atBirth, flow }, decimals, isOver }: AheadProps) {
  const moved = KINDS.filter((kind) => flow[kind].count > 0);
  return (
    <section aria-label="Who was ahead" className="border-t border-line px-3 py-1">
      <h3 className="text-dim">Ahead when it joined, and what moved there {isOver ? 'until it left' : 'since'}</h3>
      <p className="num">
        {counted(atBirth.length, 'order')}, {decimalText(sum(atBirth.map(({ sz }) => sz)), decimals)}
        {moved.map((kind) => (
          <span key={kind} className="whitespace-nowrap">
            {' · '}
            {sumText(kind, flow[kind])} {decimalText(flow[kind].sz, decimals)}
          </span>
        ))}
      </p>
      <ol className="num text-dim">
        {atBirth.slice(0, LISTED).map(({ oid, user, sz }) => (
          <li key={oid} className="flex gap-x-3">
            <span>{oid}</span>
            <span className="private">{user === null ? 'not named' : shortAddress(user)}</span>
            <span className="ml-auto">{decimalText(sz, decimals)}</span>
          </li>
        ))}
        {atBirth.length > LISTED && <li>and {counted(atBirth.length - LISTED, 'more order')}</li>}
      </ol>
    </section>
  );
}
