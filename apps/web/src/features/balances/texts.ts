import type { Field } from '../../wallets/balances/fields.ts';
import type { Token, WalletEntry } from '../../wallets/balances/sums.ts';

/** The display name of a field. */
export const FIELD_TEXTS: Readonly<Record<Field, string>> = {
  total: 'Total',
  hold: 'Hold',
  available: 'Available',
  entryNtl: 'entryNtl',
};

export const FIELD_HINTS: Readonly<Record<Field, string>> = {
  total: 'total, as reported',
  hold: 'hold, as reported: reserved by resting orders and, in unified and portfolio-margin accounts, by perps',
  available: 'available after maintenance (tokenToAvailableAfterMaintenance), as reported; absent does not mean zero',
  entryNtl: 'entryNtl, as reported: notional at entry, not at the current price',
};

/** The token's index, which distinguishes tokens of one name; outcome tokens have none. */
export function indexText({ token }: Token): string {
  return token === undefined ? 'no token index' : `token ${token}`;
}

/** Why a cell has no amount: the wallet's response has none, or there is no response. */
export interface Absence {
  readonly kind: 'none' | 'unknown';
  readonly text: string;
}

/**
 * If a wallet was not read, or its call failed, its amounts are unknown; otherwise an amount missing from its response does not
 * exist.
 */
export function absenceOf(entry: WalletEntry, tokenName?: string, field?: Field): Absence {
  if (entry.reading === undefined) {
    return {
      kind: 'unknown',
      text: entry.state.kind === 'error' ? entry.state.text : 'This wallet has not been loaded yet.',
    };
  }
  if (tokenName === undefined) return { kind: 'none', text: 'This wallet reports no balances.' };
  return {
    kind: 'none',
    text:
      field === 'available'
        ? `The response has no ${tokenName} available after maintenance. Absent does not mean zero.`
        : `This wallet reports no ${field ?? 'balance'} of ${tokenName}.`,
  };
}
