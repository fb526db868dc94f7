import type { FlowKind, FlowSum, KeptGap, ListedRow, TapeRow } from '../../../book-worker/panes/past.ts';
import { counted, secondsText, wholeText } from '../../../ui/format.ts';
import type { TAPE_KINDS } from '../search.ts';
import type { HeldTape } from './tape-rows.ts';

export type TapeKind = (typeof TAPE_KINDS)[number];

export const isTapeRow = (row: ListedRow): row is TapeRow => 'kind' in row;

/** Zero, with the coin's number of decimals. */
const NOTHING = /^0(?:\.0+)?$/;

/** The flow kinds that each filter kind stands for. */
export const KINDS_OF: Readonly<Record<TapeKind, readonly FlowKind[]>> = {
  added: ['added'],
  canceled: ['canceled'],
  executed: ['executed'],
  requoted: ['requotedIn', 'requotedOut'],
  resized: ['grown', 'shrunk'],
};

export const TAPE_KIND_TEXTS: Readonly<Record<TapeKind, string>> = {
  added: 'Added',
  canceled: 'Canceled',
  executed: 'Executed',
  requoted: 'Requoted',
  resized: 'Grown, shrunk',
};

/** A sign for each kind: arriving, leaving or moved. */
const SIGNS: Readonly<Record<FlowKind, string>> = {
  added: '+',
  requotedIn: '↻',
  grown: '+',
  canceled: '−',
  requotedOut: '↺',
  shrunk: '−',
  executed: '×',
};

const NAMES: Readonly<Record<FlowKind, string>> = {
  added: 'added',
  requotedIn: 'requote in',
  grown: 'grown',
  canceled: 'canceled',
  requotedOut: 'requote out',
  shrunk: 'shrunk',
  executed: 'executed',
};

/** All kinds, executions first: the others may be changes of mind. */
export const FLOW_KINDS: readonly FlowKind[] = [
  'executed',
  'canceled',
  'requotedOut',
  'shrunk',
  'added',
  'requotedIn',
  'grown',
];

/** `× executed*`: the star means that it was inferred from the change; without it, a status or the node's fills report it. */
export function kindText(kind: FlowKind, inferred: boolean): string {
  return `${SIGNS[kind]} ${NAMES[kind]}${inferred ? '*' : ''}`;
}

/** The same for a sum: the star means that some of it was inferred. */
export function sumText(kind: FlowKind, { inferred = 0 }: FlowSum): string {
  return kindText(kind, inferred > 0);
}

export function unseenText({ from, to }: KeptGap): string {
  const blocks = to.height - from.height;
  if (blocks === 0) return 'rebuilt at the same block';
  if (blocks < 0) return `rebuilt ${counted(-blocks, 'block')} back`;
  return `${counted(blocks, 'block')} (${secondsText(to.time - from.time)}) unseen`;
}

export const gapText = (row: ListedRow) => ('gap' in row ? unseenText(row.gap) : '');

/** How many newer changes wait while the rows are held; none before the next response. */
export function newerText({ newer, isMore }: Pick<HeldTape, 'newer' | 'isMore'> = { newer: 0, isMore: false }): string {
  return `held, ${wholeText(newer)}${isMore ? '+' : ''} newer`;
}

export function heldText(held: Pick<HeldTape, 'height'> | undefined): string {
  return held === undefined ? '' : `held at block ${wholeText(held.height)}`;
}

interface Explained {
  readonly kind: FlowKind;
  readonly inferred: boolean;
  readonly reason: string | null;
  readonly other?: number | null;
  readonly refill?: number;
}

/** Why it happened, as far as known. */
export function whyText({ kind, inferred, reason, other, refill = 0 }: Explained): string {
  const parts = [
    reason === null ? undefined : `status "${reason}"`,
    inferred ? 'inferred: no status or fill confirms it' : undefined,
    kind === 'executed' && !inferred && reason === null ? "the node's fills confirm it" : undefined,
    other === undefined || other === null
      ? undefined
      : `${kind === 'requotedIn' ? 'replaces' : 'replaced by'} ${other}`,
    refill > 0 ? `refill ${refill} after an execution at this price` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

/** Whether an order left because all of it was executed: the executions carry the sizes, the row of its leaving has none. */
export function isEmptyLeaving({ kind, sz }: Pick<TapeRow, 'kind' | 'sz'>): boolean {
  return kind === 'executed' && NOTHING.test(sz);
}

/** The text beside a row's kind; empty if the kind says everything. */
export function detailText(row: Pick<TapeRow, 'kind' | 'sz' | 'reason' | 'refill'>): string {
  const parts = [
    isEmptyLeaving(row) ? 'in full' : '',
    reasonText(row.reason),
    row.refill > 0 ? `refill ${row.refill}` : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Why an order left, in a few words: `scheduled` for `scheduledCancel`. Empty if the kind already says it. */
function reasonText(reason: string | null): string {
  if (reason === null || reason === 'canceled' || reason === 'filled') return '';
  const words = reason.replace(/(Canceled|CancelRejected|Cancel|Rejected)$/, '');
  return words.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
