import type { Address, Side } from '@l4desk/protocol';
import { X } from 'lucide-react';
import type { LensSide } from '../../../book-worker/panes/owners.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { useActions } from '../../../hooks/actions.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted, decimalText } from '../../../ui/format.ts';
import { AddressLine } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { useWalletActions } from '../menu/wallet-actions.ts';
import { useNotionalDecimals } from '../use-notional-decimals.ts';
import { shareText } from './texts.ts';

interface OwnerActionsProps {
  readonly address: Address;
  readonly owners: PaneResult<'owners'> | undefined;
  readonly onClose: () => void;
}

export function OwnerActions({ address, owners, onClose }: OwnerActionsProps) {
  const { asks, bids, sizeDecimals = 0 } = owners ?? {};
  const page = useBookPage();
  const { onWithout, onOnly } = page;
  const actions = useWalletActions(address, page);
  useActions('Owners', [
    { id: 'owner only', label: 'Only the chosen wallet in the ladder', run: () => onOnly(address) },
    { id: 'owner without', label: 'The book without the chosen wallet', run: () => onWithout(address) },
    { id: 'owner everybody', label: 'Everybody’s orders in the ladder', run: () => onOnly(undefined) },
  ]);
  return (
    <section
      aria-label="Chosen wallet"
      data-part="owner"
      data-user={address}
      className="border-t border-line bg-surface-2 px-3 py-1.5 text-12"
    >
      <div className="flex items-start gap-2">
        <AddressLine address={address} />
        <span className="ml-auto">
          <IconButton icon={X} name="Close the wallet" onClick={onClose} />
        </span>
      </div>
      <SideLine side="A" lens={asks} address={address} decimals={sizeDecimals} />
      <SideLine side="B" lens={bids} address={address} decimals={sizeDecimals} />
      <div className="flex flex-wrap gap-1 pt-1">
        {actions.map(({ id, label, hint, run }) => (
          <Button key={id} look="plain" title={hint} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
    </section>
  );
}

interface SideLineProps {
  readonly side: Side;
  readonly lens: LensSide | undefined;
  readonly address: Address;
  readonly decimals: number;
}

function SideLine({ side, lens, address, decimals }: SideLineProps) {
  const owner = lens?.owners.find(({ user }) => user === address);
  const ntlDecimals = useNotionalDecimals(decimals);
  return (
    <p className="num flex gap-3 whitespace-nowrap">
      <span className={`w-8 font-sans ${side === 'B' ? 'text-bid' : 'text-ask'}`}>
        {side === 'B' ? 'bids' : 'asks'}
      </span>
      {owner === undefined ? (
        <span className="text-dim">none among the largest</span>
      ) : (
        <>
          <span>{decimalText(owner.sz, decimals)}</span>
          <span className="text-dim">{shareText(owner.share)}</span>
          <span className="text-dim">{counted(owner.orders, 'order')}</span>
          <span className="truncate text-dim" title="Notional">
            ntl {decimalText(owner.notional, ntlDecimals)}
          </span>
        </>
      )}
    </p>
  );
}
