import { type Field } from '../../wallets/balances/ledger.ts';
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

/** Why a cell is empty. */
export function absenceText(entry: WalletEntry, tokenName: string, field: Field): string {
  if (entry.reading === undefined) {
    return entry.standing.kind === 'error' ? entry.standing.text : 'This wallet was not read yet.';
  }
  return field === 'available'
    ? `The answer reports no ${tokenName} available after maintenance. Absent is not zero.`
    : `${tokenName} is not among the balances that this wallet reports.`;
}
