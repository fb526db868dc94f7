import type { ServiceError, WalletResult, WalletsProgress } from '@l4desk/client';
import { compare, subtract } from '@l4desk/decimal';
import {
  type Address,
  address,
  type DecimalString,
  decimalOf,
  decimalString,
  type SpotBalanceSlot,
  z,
} from '@l4desk/protocol';
import { adviceOf, isRefusal } from '../../ui/page/advice.ts';
import { FIELDS, type Field } from './fields.ts';

/** What a row of balances is about. Outcome tokens (`+1230`, `o77`) have no index, an available amount has no name (D59). */
export interface TokenId {
  readonly token?: number | undefined;
  readonly coin?: string | undefined;
}

/** A name and an index together name a holding: rows that share only one of them are different ones (D59). */
export function tokenKey({ token, coin }: TokenId): string {
  return `t${token ?? ''}${coin === undefined ? '' : `:${coin}`}`;
}

/** The amounts that one wallet reports for one token. A field that is not reported is absent, never zero. */
export interface TokenAmounts extends TokenId, Readonly<Partial<Record<Field, DecimalString | undefined>>> {}

/** A successful response for one wallet. */
export interface Reading {
  readonly at: number;
  /** As reported, unknown fields included. */
  readonly state: SpotBalanceSlot;
  /** By `tokenKey`. */
  readonly amounts: ReadonlyMap<string, TokenAmounts>;
}

export type WalletFailure = Extract<WalletResult<SpotBalanceSlot>, { kind: 'failed' }>['error'];

/** What is known about one wallet: the last good response, a failure since then, and why the last refresh refused to read it. */
export interface Holding {
  readonly good: Reading | undefined;
  readonly failed: { readonly at: number; readonly error: WalletFailure } | undefined;
  readonly refused: ServiceError | undefined;
}

/** In ms. */
export const time = z.int().min(0);

/** One amount that differs between two readings of a wallet, as this browser stores it. */
export const change = z.object({
  id: z.int(),
  user: address,
  token: z.int().optional(),
  coin: z.string().optional(),
  field: z.enum(FIELDS),
  /** Undefined if it was not reported. */
  from: decimalString.optional(),
  to: decimalString.optional(),
  since: time,
  at: time,
});

export type Change = z.infer<typeof change>;

/** The growth of the amount; undefined if one side was not reported, because absent is not zero. */
export function deltaOf({ from, to }: Pick<Change, 'from' | 'to'>): DecimalString | undefined {
  return from === undefined || to === undefined ? undefined : subtract(to, from);
}

/** Changes between refreshes, newest first, at most `JOURNAL_MAX`. */
export interface Journal {
  readonly changes: readonly Change[];
  /** Number of older changes that were dropped. */
  readonly dropped: number;
}

export interface Balances {
  readonly holdings: ReadonlyMap<Address, Holding>;
  readonly journal: Journal;
  /** Whether the values stored by earlier visits have been loaded. */
  readonly isRestored: boolean;
  /** Progress of the calls in flight; undefined if there are none. */
  readonly progress: WalletsProgress | undefined;
  /** The error of the last round of calls, if it was not a response for a wallet, and when it came, in ms. */
  readonly fault: { readonly error: unknown; readonly at: number } | undefined;
}

export const JOURNAL_MAX = 1_000;

export const EMPTY_BALANCES: Balances = {
  isRestored: false,
  holdings: new Map(),
  journal: { changes: [], dropped: 0 },
  progress: undefined,
  fault: undefined,
};

/** Applies one round of responses. A wallet that failed keeps its last good reading (BATCH-18); a refusal leaves it unchanged. */
export function applyRound(
  balances: Balances,
  results: readonly WalletResult<SpotBalanceSlot>[],
  at: number,
): Balances {
  const holdings = new Map(balances.holdings);
  const changes: Change[] = [];
  let id = (balances.journal.changes[0]?.id ?? 0) + 1;
  for (const result of results) {
    const holding = holdings.get(result.user);
    const before = holding?.good;
    if (result.kind === 'failed') {
      const { error } = result;
      if (!isRefusal(error)) holdings.set(result.user, { good: before, failed: { at, error }, refused: undefined });
      else if (holding !== undefined) holdings.set(result.user, { ...holding, refused: error });
      continue;
    }
    const good: Reading = { at, state: result.state, amounts: amountsOf(result.state) };
    holdings.set(result.user, { good, failed: undefined, refused: undefined });
    if (before === undefined) continue;
    for (const difference of differences(before.amounts, good.amounts)) {
      changes.push({ ...difference, id, user: result.user, since: before.at, at });
      id += 1;
    }
  }
  return {
    ...balances,
    holdings,
    journal: journalWith(balances.journal, changes),
    progress: undefined,
    fault: undefined,
  };
}

/** A journal of at most `JOURNAL_MAX` changes, newest first. */
function journalWith({ changes, dropped }: Journal, added: readonly Change[]): Journal {
  const all = [...added.toReversed(), ...changes];
  return { changes: all.slice(0, JOURNAL_MAX), dropped: dropped + Math.max(0, all.length - JOURNAL_MAX) };
}

type Difference = Pick<Change, 'token' | 'coin' | 'field' | 'from' | 'to'>;

/** Amounts that differ in value, by token; other trailing zeros are no difference. */
function differences(before: Reading['amounts'], after: Reading['amounts']): readonly Difference[] {
  const gone = [...before.values()].filter((old) => amountsFor(after, old) === undefined);
  const pairs = [...after.values()].map((now) => [amountsFor(before, now), now] as const);
  return [...pairs, ...gone.map((old) => [old, undefined] as const)].flatMap(([old, now]) =>
    FIELDS.flatMap((field): Difference[] => {
      const [from, to] = [old?.[field], now?.[field]];
      if (from === to || (from !== undefined && to !== undefined && compare(from, to) === 0)) return [];
      return [{ token: now?.token ?? old?.token, coin: now?.coin ?? old?.coin, field, from, to }];
    }),
  );
}

/** A wallet's amounts of a token. If one of the two has no name, the index decides while it has only one name. */
function amountsFor(amounts: Reading['amounts'], of: TokenId): TokenAmounts | undefined {
  const found = amounts.get(tokenKey(of));
  if (found !== undefined || of.token === undefined) return found;
  const [only, ...others] = [...amounts.values()].filter(({ token }) => token === of.token);
  return others.length === 0 && (only?.coin === undefined || of.coin === undefined) ? only : undefined;
}

/**
 * The amounts that a slot reports, by `tokenKey`. A token may have an available amount and no balance. Of two rows with one name
 * and index, both are kept.
 */
export function amountsOf(state: SpotBalanceSlot): Reading['amounts'] {
  const amounts = new Map<string, TokenAmounts>();
  const add = (key: string, of: TokenAmounts): void =>
    void (amounts.has(key) ? add(`${key}'`, of) : amounts.set(key, of));
  for (const { token, coin, total, hold, entryNtl } of state.balances) {
    const id = { token: token ?? undefined, coin: coin ?? undefined };
    add(tokenKey(id), { ...id, total: decimalOf(total), hold: decimalOf(hold), entryNtl: decimalOf(entryNtl) });
  }
  for (const [token, reported] of state.tokenToAvailableAfterMaintenance ?? []) {
    const available = decimalOf(reported);
    const named = [...amounts].filter(([, of]) => of.token === token);
    const [key, of] = named[0] ?? [];
    if (key === undefined || named.length > 1) add(tokenKey({ token }), { token, available });
    else amounts.set(key, { ...of, available });
  }
  return amounts;
}

/** A good reading older than this is stale. */
export const STALE_AFTER_MS = 15 * 60_000;

/** Whether the last good reading of a wallet is current. `text` gives the reason. */
export type ReadingState =
  | { readonly kind: 'ok' | 'stale' | 'never'; readonly text: string }
  | {
      readonly kind: 'error';
      readonly text: string;
      /** The exact message of the failure. */
      readonly message: string;
      /** When the call failed, in ms. */
      readonly failedAt: number;
      readonly isRetryable: boolean;
    };

/** Whether a wallet's numbers are current, with the exact message of a failure. */
export function readingStateOf(holding: Holding | undefined, now: number): ReadingState {
  if (holding?.failed !== undefined) {
    const { at, error } = holding.failed;
    const kept = holding.good === undefined ? 'no earlier values' : 'showing the last good values';
    return {
      kind: 'error',
      text: `${error.message}; ${kept}`,
      message: error.message,
      failedAt: at,
      isRetryable: error.retryable,
    };
  }
  if (holding?.good === undefined) return { kind: 'never', text: 'not loaded yet' };
  if (holding.refused !== undefined) return { kind: 'stale', text: adviceOf(holding.refused, 'utc').title };
  return now - holding.good.at > STALE_AFTER_MS
    ? { kind: 'stale', text: 'loaded more than 15 minutes ago' }
    : { kind: 'ok', text: 'as of the last refresh' };
}
