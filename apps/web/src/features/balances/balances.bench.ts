import type { WalletResult } from '@l4desk/client';
import type { BenchRow } from '@l4desk/config/bench';
import { formatUnits } from '@l4desk/decimal';
import type { Address, SpotBalanceSlot } from '@l4desk/protocol';
import { applyRound, type Balances, EMPTY_BALANCES } from '../../wallets/balances/balance-store.ts';
import { entriesOf, tokensOf } from '../../wallets/balances/sums.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { listColumns, listRows, sortedList } from './list-rows.tsx';
import { searched, unitsOf, withoutDust } from './pivot.ts';
import { sortedTokens, tokenColumns, tokenRows } from './token-rows.tsx';
import { walletColumns, walletRows } from './wallet-rows.tsx';

const WALLETS = 300;
const TOKENS = 100;
/** Tokens per wallet in the list; real wallets hold about ten. */
const LISTED = 30;
const BAR_MS = 100;
const ROUNDS = 7;
const REFRESHES = 1_000;
const MEGABYTE = 1_048_576;
const HEAP_BAR_MB = 4;

const addresses = Array.from({ length: WALLETS }, (_, at): Address => `0x${at.toString(16).padStart(40, '0')}`);
const wallets = addresses.map((address, at) => ({
  ...plainWallet(address),
  label: `wallet ${at}`,
  group: `g${at % 9}`,
}));

/** One round of responses: every wallet holds every token, with ten decimals, and one amount of each changes with the round. */
function responses(round: number): readonly WalletResult<SpotBalanceSlot>[] {
  return addresses.map((user, wallet) => ({
    kind: 'state',
    user,
    state: {
      user,
      balances: Array.from({ length: TOKENS }, (_, token) => ({
        coin: `TOKEN${token}`,
        token,
        total: formatUnits(7_919 * (wallet + 1) * (token + 3) + (token === wallet % TOKENS ? round : 0), 10, 10),
        hold: '0.0',
        entryNtl: '0.0',
      })),
    },
  }));
}

/** Both pivots over 300 wallets × 100 tokens and a list of balances, filtered and sorted; heap over 1,000 refreshes. */
export default async function* balancesBench(): AsyncGenerator<BenchRow> {
  const balances = applyRound(EMPTY_BALANCES, responses(0), 0);
  const all = entriesOf(wallets, balances, 0);
  const tokens = tokensOf(all);
  const pivot = (query: string) => {
    const scope = searched(all, tokens, query);
    const shown = withoutDust(scope.entries, scope.tokens, '0.00001');
    const field = 'total';
    const sort = { column: 't3', descending: true };
    walletColumns({ entries: scope.entries, tokens: shown.tokens, field, onlyFailed: false }, () => {});
    walletRows({ entries: scope.entries, tokens, shown: shown.entries, field, isGrouped: true, sort });
  };
  yield timed('wallet × token: search, dust, groups, sums, sort', () => pivot('token'));
  yield timed('the same, narrowed to some wallets', () => pivot('wallet 1'));
  yield timed('token × wallet: sums, columns, sort', () => {
    const rows = tokenRows(all, tokens);
    tokenColumns(all, rows, 'total');
    sortedTokens(rows, all, 'total', { column: addresses[7] ?? '', descending: true });
  });
  const held = tokens.slice(0, LISTED);
  yield timed(`list of ${WALLETS * LISTED} balances, ${LISTED} a wallet: dust, columns, sort`, () => {
    const rows = listRows(all, held, unitsOf('0.00001'));
    listColumns(rows, false);
    sortedList(rows, { column: 'total', descending: true });
  });
  yield memory();
}

function timed(what: string, work: () => void): BenchRow {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const median = times[Math.floor(ROUNDS / 2)] ?? 0;
  return {
    item: `balances, ${WALLETS} wallets × ${TOKENS} tokens: ${what}`,
    ours: `${median.toFixed(1)} ms`,
    limit: `${BAR_MS} ms`,
    ratio: null,
    bar: `< ${BAR_MS} ms`,
    pass: median < BAR_MS,
  };
}

/** The memory used after a refresh must not grow with the number of refreshes. */
function memory(): BenchRow {
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / MEGABYTE;
  };
  let balances: Balances = EMPTY_BALANCES;
  const refresh = (from: number, to: number) => {
    for (let round = from; round < to; round++) balances = applyRound(balances, responses(round).slice(0, 50), round);
  };
  // The journal is full after this many refreshes; from here on memory must not grow.
  refresh(0, 50);
  const before = heap();
  refresh(50, 50 + REFRESHES);
  const grown = heap() - before;
  return {
    item: `balances, heap after ${REFRESHES} refreshes of 50 wallets × ${TOKENS} tokens`,
    ours: `${grown.toFixed(1)} MB more, ${balances.journal.changes.length} changes kept`,
    limit: `${HEAP_BAR_MB} MB`,
    ratio: null,
    bar: `< ${HEAP_BAR_MB} MB`,
    pass: grown < HEAP_BAR_MB,
  };
}
