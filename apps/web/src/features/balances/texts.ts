import type { Field } from '../../wallets/balances/fields.ts';
import { type WalletEntry } from '../../wallets/balances/sums.ts';

/** A field's name as the page says it. */
export const FIELD_TEXTS: Readonly<Record<Field, string>> = {
  total: 'Total',
  hold: 'Hold',
  available: 'Available',
  entryNtl: 'entryNtl',
};

export const FIELD_HINTS: Readonly<Record<Field, string>> = {
  total: 'total, as reported',
  hold: 'hold: the part of total that resting orders tie up, as reported',
  available:
    'available after maintenance (tokenToAvailableAfterMaintenance), as reported; where it is absent it is not zero',
  entryNtl: 'entryNtl, as reported: the notional of the entry, no price of today',
};

/** Why a cell has no amount: the wallet's answer has none, or there is no answer. */
export interface Absence {
  readonly kind: 'none' | 'unknown';
  readonly text: string;
}

/** Of a wallet that was not read, or whose call failed, nothing is known; of any other, what its answer leaves out is not there. */
export function absenceOf(entry: WalletEntry, tokenName?: string, field?: Field): Absence {
  if (entry.reading === undefined) {
    return {
      kind: 'unknown',
      text: entry.standing.kind === 'error' ? entry.standing.text : 'This wallet was not read yet.',
    };
  }
  if (tokenName === undefined) return { kind: 'none', text: 'This wallet reports no balance.' };
  return {
    kind: 'none',
    text:
      field === 'available'
        ? `The answer reports no ${tokenName} available after maintenance. Absent is not zero.`
        : `${tokenName} is not among the balances that this wallet reports.`,
  };
}
