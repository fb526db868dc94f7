import { sum } from '@l4desk/decimal';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { columnDecimals, counted, signedAligned } from '../../ui/format.ts';
import { commonError, isUnreachable } from '../../ui/page/advice.ts';
import { Ago, NotLoaded } from '../../ui/page/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { deltaOf, type Journal } from '../../wallets/balances/balance-store.ts';
import { SumAmount } from '../../wallets/balances/sum-amount.tsx';
import {
  countedText,
  failedOf,
  isCounted,
  type Sum,
  sumsOf,
  tokenOf,
  tokensOf,
  type WalletEntry,
} from '../../wallets/balances/sums.ts';
import { NoWallets } from '../../wallets/no-wallets.tsx';
import type { Wallet } from '../../wallets/wallet.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { Positions } from './positions.tsx';
import { OverLimit, TickingAlert, Tile, TileFailed, TileLoading, useRoom, useWalletLink } from './tile.tsx';
import type { Overview } from './use-overview.ts';
import { WorthLine } from './worth-line.tsx';

interface BalancesTileProps {
  readonly overview: Overview;
  readonly className: string;
}

/** The total holdings of the wallets by token, and the changes of the last reading. */
export function BalancesTile({ overview: { entries, store, balances, worth }, className }: BalancesTileProps) {
  const counts = entries.filter(isCounted);
  const failures = failedOf(entries);
  const isAllFailed = failures.length > 0 && failures.length === entries.length;
  const error = commonError(failures.map(({ wallet }) => store.holdings.get(wallet.address)?.failed?.error));
  const isStale = counts.length > 0 && counts.every(({ state }) => state.kind !== 'ok');
  const { rows, tokens, coins } = useRoom();
  const { sums, moves, since } = useMemo(() => tokenSums(entries, store.journal), [entries, store.journal]);
  const left = rows - Math.min(tokens, sums.length);
  const shownCoins = Math.min(worth.byCoin.length, Math.max(coins, left - coins));
  // In a low window, where the positions would take all rows, some changes are shown too.
  const shownMoves = Math.max(0, Math.min(left, coins), left - shownCoins);
  const { isBusy, credits, read, refresh } = balances;
  return (
    <Tile
      title="Balances"
      to="/balances"
      className={className}
      at={worth.oldest}
      isStale={isStale}
      refresh={
        counts.length === 0 && failures.length === 0 && store.fault === undefined
          ? undefined
          : { credits, isBusy, run: refresh }
      }
    >
      {isAllFailed && <AllFailed failures={failures} error={error} kept={counts.length > 0} />}
      {store.fault !== undefined && !isBusy && <TileFailed {...store.fault} kept={counts.length > 0} />}
      {entries.length === 0 ? (
        <NoWallets look="plain" />
      ) : counts.length > 0 ? (
        <>
          <WorthLine worth={worth} isSilenceReported={isAllFailed && isUnreachable(error)} />
          <Sums {...{ sums, since, entries, failures }} />
          {/* Below the sums, which are there before the worth. */}
          <Positions worth={worth} rows={shownCoins} />
          <Moves moves={moves.slice(0, shownMoves)} all={moves.length} />
        </>
      ) : balances.waiting > 0 && !isBusy ? (
        <NotLoaded
          look="plain"
          action={`Load ${counted(entries.length, 'wallet')}`}
          credits={balances.round}
          onLoad={read}
        >
          <OverLimit />
        </NotLoaded>
      ) : (
        store.fault === undefined && !isAllFailed && <TileLoading what="balances" />
      )}
    </Tile>
  );
}

interface AllFailedProps {
  readonly failures: readonly WalletEntry[];
  /** The error of all of them, if they have one in common. */
  readonly error: unknown;
  readonly kept: boolean;
}

/** Shown after a refresh in which every wallet failed. The tile's refresh control retries. */
function AllFailed({ failures, error, kept }: AllFailedProps) {
  if (error !== undefined) return <TileFailed error={error} at={lastFailure(failures)} kept={kept} />;
  return (
    <TickingAlert
      announced={`All wallets failed.${kept ? ' The sums are of their last values.' : ''}`}
      look={kept ? 'pb-2' : 'm-auto py-3'}
    >
      <strong className="text-stale!">
        ! All wallets failed · <Ago at={lastFailure(failures)} />.
      </strong>
      {kept && ' The sums are of their last values.'}
    </TickingAlert>
  );
}

/** When the last of these wallets failed, in ms. */
function lastFailure(failures: readonly WalletEntry[]): number {
  return failures.reduce((latest, { state }) => Math.max(latest, state.kind === 'error' ? state.failedAt : 0), 0);
}

interface SumsProps extends Pick<ReturnType<typeof tokenSums>, 'sums' | 'since'> {
  readonly entries: readonly WalletEntry[];
  readonly failures: readonly WalletEntry[];
}

function Sums({ sums, since, entries, failures }: SumsProps) {
  const { tokens, isWide } = useRoom();
  const shown = useMemo(() => sums.slice(0, tokens), [sums, tokens]);
  const columns = useMemo(() => columnsOf(shown, isWide), [shown, isWide]);
  return (
    <>
      <DataTable name="Sums by token" isShort columns={columns} rows={shown} keyOf={({ token }) => token.id} />
      <p className="pt-1 text-12 text-dim">
        {sums.length > shown.length && `${counted(sums.length - shown.length, 'more token')} · `}
        {countedText(entries)}
        {failures.length > 0 && (
          <span className="text-stale">
            , {failures.length} failed <Ago at={lastFailure(failures)} />
          </span>
        )}
        {since === undefined ? (
          ' · no earlier data to compare with yet'
        ) : (
          <>
            {' · Δ since '}
            <Ago at={since} />
          </>
        )}
      </p>
    </>
  );
}

interface MovesProps {
  readonly moves: readonly Move[];
  readonly all: number;
}

/** The totals that the last reading changed. */
function Moves({ moves, all }: MovesProps) {
  const w = useWalletLink();
  if (moves.length === 0) return null;
  const decimals = columnDecimals(moves.map(({ delta }) => delta));
  return (
    <section aria-label="Changes in the last refresh" className="pt-3">
      <h3 className="border-b border-line text-12 font-medium text-dim">
        {moves.length < all ? `${moves.length} of ${counted(all, 'change')}` : counted(all, 'change')} in the last
        refresh
      </h3>
      <ul>
        {moves.map(({ id, wallet, name, delta }) => (
          <li key={id} className="flex h-6 items-center justify-between gap-3">
            <Link to="/balances" search={{ w, open: wallet.address }} className="min-w-0 rounded-4 hover:underline">
              <WalletName wallet={wallet} />
            </Link>
            <span className="num text-12 whitespace-nowrap">
              <span className="private">{signedAligned(delta, decimals)}</span> {name}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function columnsOf(rows: readonly TokenSum[], isWide: boolean): readonly TableColumn<TokenSum>[] {
  const amount = (title: string, of: (row: TokenSum) => Sum): TableColumn<TokenSum> => {
    const decimals = columnDecimals(rows.flatMap((row) => of(row).value ?? []));
    return { id: title, title, align: 'end', cell: (row) => <SumAmount sum={of(row)} decimals={decimals} /> };
  };
  const deltas = columnDecimals(rows.flatMap(({ delta }) => delta ?? []));
  return [
    {
      id: 'token',
      title: 'Token',
      grow: true,
      cell: ({ token }) => <span className="block truncate">{token.name}</span>,
    },
    amount('Total', ({ sums }) => sums.total),
    {
      id: 'delta',
      title: 'Δ',
      align: 'end',
      cell: ({ delta }) =>
        delta === undefined ? (
          <span className="text-dim">—</span>
        ) : (
          <span className={/[1-9]/.test(delta) ? 'private text-strong' : 'private text-dim'}>
            {signedAligned(delta, deltas)}
          </span>
        ),
    },
    ...(isWide ? [amount('Hold', ({ sums }) => sums.hold), amount('Available', ({ sums }) => sums.available)] : []),
  ];
}

type TokenSum = ReturnType<typeof tokenSums>['sums'][number];
type Move = ReturnType<typeof tokenSums>['moves'][number];

/** The sums of every token that a wallet reports, and what the last reading changed. An amount that appeared or disappeared has no difference. */
export function tokenSums(entries: readonly WalletEntry[], { changes }: Journal) {
  const tokens = tokensOf(entries);
  const counted = entries.filter(isCounted);
  const at = counted.reduce((latest, { reading }) => Math.max(latest, reading?.at ?? 0), 0);
  const wallets = new Map<string, Wallet>(counted.map(({ wallet }) => [wallet.address, wallet]));
  const latest = changes.filter(({ at: changedAt, user }) => changedAt === at && wallets.has(user));
  const moves = latest.flatMap((change) => {
    const wallet = wallets.get(change.user);
    const delta = deltaOf(change);
    if (change.field !== 'total' || wallet === undefined || delta === undefined) return [];
    const token = tokenOf(tokens, change);
    return [{ id: change.id, wallet, token, name: token?.name ?? change.coin ?? `token ${change.token}`, delta }];
  });
  const sums = tokens.map((token) => {
    const own = moves.filter((move) => move.token === token).map(({ delta }) => delta);
    /** The growth of the total with the last reading; undefined if unknown. */
    const delta = own.length === 0 ? undefined : sum(own);
    return { token, sums: sumsOf(entries, token), delta };
  });
  // Of the oldest reading that the last one is compared with.
  return { sums, moves, since: latest.length === 0 ? undefined : Math.min(...latest.map(({ since }) => since)) };
}
