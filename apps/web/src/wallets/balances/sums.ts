import { formatUnits, parseBigUnits } from '@l4desk/decimal';
import type { Address, DecimalString } from '@l4desk/protocol';
import { columnDecimals, counted } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import type { Wallet } from '../wallet.ts';
import {
  type Balances,
  type Change,
  type Reading,
  type ReadingState,
  readingStateOf,
  STALE_AFTER_MS,
  type TokenAmounts,
  type TokenId,
  tokenKey,
} from './balance-store.ts';
import type { Field } from './fields.ts';

/** A wallet with what is known about it. */
export interface WalletEntry {
  readonly wallet: Wallet;
  readonly state: ReadingState;
  readonly reading: Reading | undefined;
  /**
   * Whether its amounts are in the sums: its last call succeeded, however long ago. If no wallet's did, the last good values of
   * all are summed, as old ones.
   */
  readonly isCounted: boolean;
  /** What the last good response changed, by token and field. */
  readonly changes: ReadonlyMap<string, Change>;
}

/** A token that at least one wallet reports. */
export interface Token extends TokenId {
  /** Unique; in the address of the page. `t0` for the only token of an index, else with its name: `t:+1230`. */
  readonly id: string;
  readonly key: string;
  /** Its name; followed by its index if another token has the same name, or if no balance names it. */
  readonly name: string;
}

/** The sum of a field over wallets. */
export interface Sum {
  /** Undefined if no counted wallet reports the field. */
  readonly value: DecimalString | undefined;
  /** Wallets whose last call succeeded; other wallets are not in the sum. */
  readonly counted: number;
  readonly wallets: number;
  /** Counted wallets that have the token but do not report the field. */
  readonly silent: number;
  /** Counted wallets whose values are old, or that the last refresh did not reach. */
  readonly stale: number;
}

export function entriesOf(wallets: readonly Wallet[], balances: Balances, now: number): readonly WalletEntry[] {
  const byUser = groupBy(balances.journal.changes, ({ user }) => user);
  const entries = wallets.map((wallet): WalletEntry => {
    const holding = balances.holdings.get(wallet.address);
    const state = readingStateOf(holding, now);
    const last = (byUser.get(wallet.address) ?? []).filter(({ at }) => at === holding?.good?.at);
    const changes = new Map(last.map((change) => [`${tokenKey(change)} ${change.field}`, change]));
    const isCounted = state.kind === 'ok' || state.kind === 'stale';
    return { wallet, state, reading: holding?.good, isCounted, changes };
  });
  if (entries.some(isCounted)) return entries;
  return entries.map((entry) => ({ ...entry, isCounted: entry.reading !== undefined }));
}

/** Every token that a wallet reports, by index; those without one by name, at the end. */
export function tokensOf(entries: readonly WalletEntry[]): readonly Token[] {
  const found = new Map<string, TokenId>();
  for (const { reading } of entries) for (const [key, of] of reading?.amounts ?? []) found.set(key, of);
  const all = [...found].map(([key, { token, coin }]) => ({ key, token, coin }));
  const ofIndex = groupBy(all, ({ token }) => token);
  const ofName = groupBy(all, ({ coin }) => coin);
  return all
    .flatMap(({ key, token, coin }): Token[] => {
      const same = ofIndex.get(token) ?? [];
      const isOnly = token !== undefined && same.filter((other) => other.coin !== undefined).length <= 1;
      // An amount without a name belongs to the only name of its index.
      if (isOnly && coin === undefined && same.length > 1) return [];
      const isUnique = ofName.get(coin)?.length === 1;
      const index = token === undefined ? 'without index' : `#${token}`;
      const name =
        coin === undefined
          ? token === undefined
            ? 'no name'
            : `token ${token}`
          : isUnique
            ? coin
            : `${coin} ${index}`;
      return [{ key, token, coin, id: isOnly ? `t${token}` : key, name: name + (/'+$/.exec(key)?.[0] ?? '') }];
    })
    .sort((a, b) => (a.token ?? Infinity) - (b.token ?? Infinity) || (a.key < b.key ? -1 : 1));
}

/** The token of a change. */
export function tokenOf(tokens: readonly Token[], of: TokenId): Token | undefined {
  const key = tokenKey(of);
  return tokens.find((token) => token.key === key || token.id === key);
}

export function amountOf({ reading }: WalletEntry, { id, key }: Token): TokenAmounts | undefined {
  return reading?.amounts.get(key) ?? reading?.amounts.get(id);
}

/** How the last response changed an amount; undefined if it did not. */
export function changeOf({ changes }: WalletEntry, { id, key }: Token, field: Field): Change | undefined {
  return changes.get(`${key} ${field}`) ?? changes.get(`${id} ${field}`);
}

export const isCounted = (entry: WalletEntry) => entry.isCounted;

/** Whether sums are of the last values of wallets that have failed since. */
export function areLastKnown(entries: readonly WalletEntry[]): boolean {
  return entries.some((entry) => entry.isCounted && entry.state.kind === 'error');
}

/** The exact sum over the counted wallets. A failed wallet is left out, even if it has older values, unless all have failed. */
export function sumOf(entries: readonly WalletEntry[], token: Token, field: Field): Sum {
  const values: DecimalString[] = [];
  let counted = 0;
  let silent = 0;
  let stale = 0;
  for (const entry of entries) {
    if (!isCounted(entry)) continue;
    counted += 1;
    if (entry.state.kind !== 'ok') stale += 1;
    const amounts = amountOf(entry, token);
    if (amounts === undefined) continue;
    const value = amounts[field];
    if (value === undefined) silent += 1;
    else values.push(value);
  }
  const value = values.length === 0 ? undefined : exactSum(values);
  return { value, counted, wallets: entries.length, silent, stale };
}

/** The sum of every field. */
export function sumsOf(entries: readonly WalletEntry[], token: Token): Readonly<Record<Field, Sum>> {
  const of = (field: Field) => sumOf(entries, token, field);
  return { total: of('total'), hold: of('hold'), available: of('available'), entryNtl: of('entryNtl') };
}

/** Sums hundreds of texts at one scale, that of the longest, so that no digit is lost. Skips zeros without parsing them. */
function exactSum(values: readonly DecimalString[]): DecimalString {
  const scale = columnDecimals(values);
  let total = 0n;
  for (const value of values) if (/[1-9]/.test(value)) total += parseBigUnits(value, scale) ?? 0n;
  return formatUnits(total, scale);
}

/** Whether the sum is complete; otherwise it is a lower bound. */
export function isWhole({ counted, wallets, silent }: Sum): boolean {
  return counted === wallets && silent === 0;
}

/** Wallets whose last call failed. */
export function failedOf(entries: readonly WalletEntry[]): readonly WalletEntry[] {
  return entries.filter(({ state }) => state.kind === 'error');
}

/** Wallets that have never been read. */
export function unreadOf(entries: readonly WalletEntry[]): readonly Address[] {
  return entries.filter(({ state }) => state.kind === 'never').map(({ wallet }) => wallet.address);
}

/** Wallets that report no balance at all. */
export function emptyOf(entries: readonly WalletEntry[]): readonly Address[] {
  const isEmpty = ({ reading, state }: WalletEntry) => state.kind !== 'error' && reading?.amounts.size === 0;
  return entries.filter(isEmpty).map(({ wallet }) => wallet.address);
}

/**
 * The wallets that a page reads when it is opened: unread ones, and those that failed before in a way that a retry may fix or
 * whose values were stale by then. A call since then, whatever its result, takes a wallet out.
 */
export function dueOf(entries: readonly WalletEntry[], openedAt: number): readonly Address[] {
  const isDue = ({ state, reading }: WalletEntry) => {
    if (state.kind === 'error') return state.isRetryable && state.failedAt < openedAt;
    return reading === undefined || openedAt - reading.at > STALE_AFTER_MS;
  };
  return entries.filter(isDue).map(({ wallet }) => wallet.address);
}

/** The number of wallets in the sums: `48 of 50 wallets`. */
export function countedText(entries: readonly WalletEntry[]): string {
  const all = counted(entries.length, 'wallet');
  const count = entries.filter(isCounted).length;
  return count === entries.length ? all : `${count} of ${all}`;
}

/** Shown before a sum that is incomplete. */
export function sumSign(sum: Sum): string {
  return isWhole(sum) ? '' : '≥ ';
}

/** A description of what the sum contains. */
export function sumText(sum: Sum): string {
  const wallets =
    sum.counted === sum.wallets
      ? counted(sum.wallets, 'wallet')
      : `${sum.counted} of ${counted(sum.wallets, 'wallet')}`;
  const parts = [
    sum.silent > 0 && `${sum.silent} without this field`,
    sum.stale > 0 && `${sum.stale === sum.counted ? 'all' : sum.stale} not refreshed recently`,
  ];
  return [wallets, ...parts.filter((part) => part !== false)].join(', ');
}
