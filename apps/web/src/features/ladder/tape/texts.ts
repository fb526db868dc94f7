import type { FlowKind, TapeRow } from '../../../book-worker/panes/past.ts';
import type { TAPE_KINDS } from '../search.ts';

export type TapeKind = (typeof TAPE_KINDS)[number];

/** A size of zero, with as many decimals as the coin has. */
const NOTHING = /^0(?:\.0+)?$/;

/** What the filter's kinds stand for. */
export const KINDS_OF: Readonly<Record<TapeKind, readonly FlowKind[]>> = {
  added: ['added'],
  cancelled: ['cancelled'],
  executed: ['executed'],
  requoted: ['requotedIn', 'requotedOut'],
  resized: ['grown', 'shrunk'],
};

export const TAPE_KIND_TEXTS: Readonly<Record<TapeKind, string>> = {
  added: 'Added',
  cancelled: 'Cancelled',
  executed: 'Executed',
  requoted: 'Requoted',
  resized: 'Grown, shrunk',
};

/** A sign beside each kind: what arrives, what leaves, what moved. */
const SIGNS: Readonly<Record<FlowKind, string>> = {
  added: '+',
  requotedIn: '↻',
  grown: '+',
  cancelled: '−',
  requotedOut: '↺',
  shrunk: '−',
  executed: '×',
};

const NAMES: Readonly<Record<FlowKind, string>> = {
  added: 'added',
  requotedIn: 'requote in',
  grown: 'grown',
  cancelled: 'cancelled',
  requotedOut: 'requote out',
  shrunk: 'shrunk',
  executed: 'executed',
};

/** `× executed*`: the star says that it was concluded from the change; without one a status or the node's fills say it. */
export function kindText(kind: FlowKind, inferred: boolean): string {
  return `${SIGNS[kind]} ${NAMES[kind]}${inferred ? '*' : ''}`;
}

interface Explained {
  readonly kind: FlowKind;
  readonly inferred: boolean;
  readonly reason: string | null;
  readonly other?: number | null;
  readonly refill?: number;
}

/** Why it happened, as far as it is known. */
export function whyText({ kind, inferred, reason, other, refill = 0 }: Explained): string {
  const parts = [
    reason === null ? undefined : `status ${reason}`,
    inferred ? 'inferred: nothing says it' : undefined,
    kind === 'executed' && !inferred && reason === null ? 'the fills of the node say it' : undefined,
    other === undefined || other === null
      ? undefined
      : `${kind === 'requotedIn' ? 'replaces' : 'replaced by'} ${other}`,
    refill > 0 ? `refill ${refill} after an execution at this price` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

/** Whether all of an order was executed before it left: the executions carry the sizes; the row of its leaving has none. */
export function isEmptyLeaving({ kind, sz }: Pick<TapeRow, 'kind' | 'sz'>): boolean {
  return kind === 'executed' && NOTHING.test(sz);
}

/** What stands beside a row's kind; empty where the kind says all. */
export function detailText(row: Pick<TapeRow, 'kind' | 'sz' | 'reason' | 'refill'>): string {
  const parts = [
    isEmptyLeaving(row) ? 'all executed, gone' : '',
    reasonText(row.reason),
    row.refill > 0 ? `refill ${row.refill}` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Why an order left, in few words: `scheduled` of `scheduledCancel`. Empty where the kind says it already. */
export function reasonText(reason: string | null): string {
  if (reason === null || reason === 'canceled' || reason === 'filled') return '';
  const words = reason.replace(/(Canceled|CancelRejected|Cancel|Rejected)$/, '');
  return words.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
