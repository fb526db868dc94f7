import { sum } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { deltaOf, type Journal } from '../../wallets/balances/balance-store.ts';
import type { Field } from '../../wallets/balances/fields.ts';
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

/** The change of one wallet's total in the last reading. */
export interface Move {
  readonly id: number;
  readonly wallet: Wallet;
  readonly token: Token | undefined;
  readonly name: string;
  readonly delta: DecimalString;
}

interface TokenSums {
  /** By index of the token. */
  readonly sums: readonly TokenSum[];
  /** Newest first. */
  readonly moves: readonly Move[];
  /** Time of the oldest reading that the last one is compared with; undefined if there is nothing to compare with. */
  readonly since: number | undefined;
}

/** The sums of every token that a wallet reports, and what the last reading changed. An amount that appeared or disappeared has no difference. */
export function tokenSums(entries: readonly WalletEntry[], { changes }: Journal): TokenSums {
  const tokens = tokensOf(entries);
  const counted = entries.filter(isCounted);
  const at = counted.reduce((latest, { reading }) => Math.max(latest, reading?.at ?? 0), 0);
  const wallets = new Map<string, Wallet>(counted.map(({ wallet }) => [wallet.address, wallet]));
  const latest = changes.filter(({ at: changedAt, user }) => changedAt === at && wallets.has(user));
  const moves = latest.flatMap((change): Move[] => {
    const wallet = wallets.get(change.user);
    const delta = deltaOf(change);
    if (change.field !== 'total' || wallet === undefined || delta === undefined) return [];
    const token = tokenOf(tokens, change);
    return [{ id: change.id, wallet, token, name: token?.name ?? change.coin ?? `token ${change.token}`, delta }];
  });
  const sums = tokens.map((token) => {
    const own = moves.filter((move) => move.token === token).map(({ delta }) => delta);
    return { token, sums: sumsOf(entries, token), delta: own.length === 0 ? undefined : sum(own) };
  });
  return { sums, moves, since: latest.length === 0 ? undefined : Math.min(...latest.map(({ since }) => since)) };
}
