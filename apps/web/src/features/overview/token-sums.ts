import { add } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { deltaOf, type Journal } from '../../wallets/balances/balance-store.ts';
import { type Field } from '../../wallets/balances/fields.ts';
import {
  isCounted,
  type Sum,
  sumsOf,
  type Token,
  tokenOf,
  tokensOf,
  type WalletEntry,
} from '../../wallets/balances/sums.ts';
import type { Wallet } from '../../wallets/wallet.ts';

/** The total holdings of one token over the chosen wallets. */
export interface TokenSum {
  readonly token: Token;
  readonly sums: Readonly<Record<Field, Sum>>;
  /** The growth of the total with the last reading; undefined if unknown. */
  readonly delta: DecimalString | undefined;
}

/** The sums of every token that a wallet reports, by index, with the changes of the last reading. */
export function tokenSums(entries: readonly WalletEntry[], journal: Journal): readonly TokenSum[] {
  const tokens = tokensOf(entries);
  const deltas = deltasOf(entries, tokens, journal);
  return tokens.map((token) => ({
    token,
    sums: sumsOf(entries, token),
    delta: deltas.get(token.id),
  }));
}

/**
 * The time of the oldest reading that the last reading's changes are measured from; undefined if there is nothing to compare
 * with.
 */
export function comparedSince(entries: readonly WalletEntry[], journal: Journal): number | undefined {
  const at = lastAt(entries);
  const before = journal.changes.filter((change) => change.at === at).map(({ since }) => since);
  return at === undefined || before.length === 0 ? undefined : Math.min(...before);
}

function lastAt(entries: readonly WalletEntry[]): number | undefined {
  const times = entries.flatMap((entry) => (isCounted(entry) && entry.reading !== undefined ? entry.reading.at : []));
  return times.length === 0 ? undefined : times.reduce((latest, at) => Math.max(latest, at), 0);
}

/** The changes of the wallets' totals in the last reading, by token. An amount that appeared or disappeared has no difference. */
function deltasOf(
  entries: readonly WalletEntry[],
  tokens: readonly Token[],
  { changes }: Journal,
): ReadonlyMap<string, DecimalString> {
  const at = lastAt(entries);
  const users = new Set<string>(entries.filter(isCounted).map(({ wallet }) => wallet.address));
  const deltas = new Map<string, DecimalString>();
  for (const change of changes) {
    if (change.at !== at || change.field !== 'total' || !users.has(change.user)) continue;
    const delta = deltaOf(change);
    const id = tokenOf(tokens, change)?.id;
    if (delta !== undefined && id !== undefined) deltas.set(id, add(deltas.get(id) ?? '0', delta));
  }
  return deltas;
}

/** The change of one wallet's total in the last reading. */
export interface Move {
  readonly id: number;
  readonly wallet: Wallet;
  /** Name of the token. */
  readonly name: string;
  readonly delta: DecimalString;
}

/** The totals that the last reading changed, newest first. */
export function movesOf(
  entries: readonly WalletEntry[],
  sums: readonly Pick<TokenSum, 'token'>[],
  { changes }: Journal,
): readonly Move[] {
  const at = lastAt(entries);
  const wallets = new Map<string, Wallet>(entries.map(({ wallet }) => [wallet.address, wallet]));
  const tokens = sums.map(({ token }) => token);
  return changes.flatMap((change) => {
    const wallet = wallets.get(change.user);
    const delta = deltaOf(change);
    if (change.at !== at || change.field !== 'total' || wallet === undefined || delta === undefined) return [];
    return [
      { id: change.id, wallet, name: tokenOf(tokens, change)?.name ?? change.coin ?? `token ${change.token}`, delta },
    ];
  });
}
