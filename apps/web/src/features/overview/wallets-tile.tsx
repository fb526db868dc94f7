import { compare } from '@l4desk/decimal';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { counted } from '../../ui/format.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import { Usdc } from '../../wallets/value/usdc.tsx';
import { accountLeverageText, type Worth } from '../../wallets/value/worth.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { Tile, useRoom, useWalletLink } from './tile.tsx';
import type { Overview } from './use-overview.ts';

interface WalletsTileProps {
  readonly overview: Overview;
  readonly className: string;
}

/** The wallets by what they are worth, once that is loaded: those of which something is not known first. */
export function WalletsTile({ overview: { worth, balances }, className }: WalletsTileProps) {
  const { wallets: most } = useRoom();
  const w = useWalletLink();
  const { value, oldest } = worth;
  const { at, worths, error } = value;
  const hasFailed = ({ entry }: Worth) => entry.state.kind !== 'ok';
  const shown = useMemo(() => worths.toSorted(byWorth).slice(0, most), [worths, most]);
  const columns = useMemo(() => columnsOf(w), [w]);
  return (
    <Tile
      title="Wallets"
      to="/balances"
      className={className}
      at={at && oldest}
      isStale={error !== undefined || (worths.length > 0 && worths.every(hasFailed))}
      refresh={
        at === undefined ? undefined : { credits: balances.credits, isBusy: balances.isBusy, run: balances.refresh }
      }
    >
      {at === undefined ? (
        <p className="text-dim">What each wallet is worth, once the worth is loaded.</p>
      ) : (
        <>
          <DataTable
            name="Wallets by worth"
            isShort
            columns={columns}
            rows={shown}
            keyOf={({ entry }) => entry.wallet.address}
            stateOf={({ entry }) => entry.state}
          />
          {worths.length > shown.length && (
            <p className="pt-1 text-12 text-dim">{counted(worths.length - shown.length, 'more wallet')}</p>
          )}
        </>
      )}
    </Tile>
  );
}

function byWorth(a: Worth, b: Worth): number {
  const isPartial = ({ missing }: Worth) => Number(missing.length > 0);
  return isPartial(b) - isPartial(a) || compare(b.total, a.total);
}

function columnsOf(w: string | undefined): readonly TableColumn<Worth>[] {
  return [
    {
      id: 'wallet',
      title: 'Wallet',
      grow: true,
      cell: ({ entry: { wallet } }) => (
        <Link to="/balances" search={{ w, open: wallet.address }} className="min-w-0 rounded-4 hover:underline">
          <WalletName wallet={wallet} />
        </Link>
      ),
    },
    {
      id: 'worth',
      title: 'Worth, USDC',
      hint: 'Wallets of which something is not known come first, then the largest',
      align: 'end',
      cell: ({ total, missing }) => <Usdc value={total} isPartial={missing.length > 0} missing={missing} />,
    },
    {
      id: 'pnl',
      title: 'Unrealised',
      align: 'end',
      cell: ({ pnl, isPerpsPartial }) => <Usdc value={pnl} isSigned isPartial={isPerpsPartial} />,
    },
    {
      id: 'leverage',
      title: 'Leverage',
      hint: 'Notional of all positions over the perp equity',
      align: 'end',
      cell: (worth) => accountLeverageText(worth) ?? <span className="text-dim">—</span>,
    },
  ];
}
