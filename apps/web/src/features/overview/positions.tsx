import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { counted, grouped } from '../../ui/format.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Usdc } from '../../wallets/value/usdc.tsx';
import { isNear, nearestText } from '../../wallets/value/worth.ts';
import type { CoinPositions } from './risk.ts';
import { useWalletLink } from './tile.tsx';
import type { Overview } from './use-overview.ts';

interface PositionsProps {
  readonly worth: Overview['worth'];
  /** The most coins that are listed. */
  readonly rows: number;
}

/** The open perp positions by coin, once the worth is loaded. */
export function Positions({ worth: { byCoin, value }, rows }: PositionsProps) {
  const w = useWalletLink();
  const shown = useMemo(() => byCoin.slice(0, rows), [byCoin, rows]);
  const columns = useMemo(() => columnsOf(value.sum.isPerpsPartial), [value.sum.isPerpsPartial]);
  if (byCoin.length === 0) return null;
  const count = byCoin.reduce((all, coin) => all + coin.count, 0);
  return (
    <section aria-label="Positions" className="pt-3">
      <DataTable
        name="Positions by coin"
        isShort
        columns={columns}
        rows={shown}
        keyOf={({ coin }) => coin}
        dataOf={({ net, pnl }) => ({ 'data-net': net, 'data-pnl': pnl })}
      />
      <p className="pt-1 text-12 text-dim">
        {byCoin.length > shown.length && `${counted(byCoin.length - shown.length, 'more coin')} · `}
        <Link to="/balances" search={{ w, view: 'positions' }} className="rounded-4 underline">
          {value.sum.isPerpsPartial ? '≥ ' : ''}
          {counted(count, 'position')}
        </Link>{' '}
        of the canonical dex
      </p>
    </section>
  );
}

/** The distance of the nearest position. */
function Away({ row: { distance }, isPartial }: { readonly row: CoinPositions; readonly isPartial: boolean }) {
  const text = nearestText(distance, isPartial);
  if (text === undefined) return NONE;
  return <span className={classNames((isPartial || (distance && isNear(distance))) && 'text-stale')}>{text}</span>;
}

const NONE = <span className="text-dim">—</span>;

/** If a wallet failed, its positions may be in every coin. */
function columnsOf(isPartial: boolean): readonly TableColumn<CoinPositions>[] {
  return [
    {
      id: 'coin',
      title: 'Position',
      grow: true,
      narrow: true,
      cell: ({ coin, szi }) => (
        <Link
          to="/book/$coin"
          params={{ coin }}
          title={`${grouped(szi)} ${coin}, long minus short`}
          className="rounded-4 underline decoration-edge underline-offset-2 hover:decoration-current"
        >
          {coin}
        </Link>
      ),
    },
    {
      id: 'net',
      title: 'Net, USDC',
      hint: 'Value of the long positions minus that of the short ones',
      align: 'end',
      narrow: true,
      cell: ({ net, isValuePartial }) => <Usdc value={net} isSigned isPartial={isPartial || isValuePartial} />,
    },
    {
      id: 'pnl',
      title: 'Unrealised',
      align: 'end',
      cell: ({ pnl, isPnlPartial }) => <Usdc value={pnl} isSigned isPartial={isPartial || isPnlPartial} />,
    },
    {
      id: 'distance',
      title: 'Away',
      hint: 'Distance of the mark from the nearest liquidation price',
      align: 'end',
      narrow: true,
      cell: (row) => <Away row={row} isPartial={isPartial || row.isDistancePartial} />,
    },
  ];
}
