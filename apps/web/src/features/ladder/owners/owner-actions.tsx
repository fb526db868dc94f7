import type { Address, Side } from '@l4desk/protocol';
import { Eye, EyeOff, Ghost, User, Users, X } from 'lucide-react';
import type { LensSide } from '../../../book-worker/panes/owners.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { useActions } from '../../../hooks/actions.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted, decimalText } from '../../../ui/format.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { AddressLine } from '../../../wallets/wallet-mark.tsx';
import { unwatchWallet, watchWallet } from '../../../wallets/watch-wallets.ts';
import { useBookPage } from '../book-page.ts';
import { useNotionalDecimals } from '../use-notional-decimals.ts';
import { shareText } from './texts.ts';

interface OwnerActionsProps {
  readonly address: Address;
  readonly owners: PaneResult<'owners'> | undefined;
  readonly onClose: () => void;
}

export function OwnerActions({ address, owners, onClose }: OwnerActionsProps) {
  const { asks, bids, sizeDecimals = 0 } = owners ?? {};
  const { without, onWithout, only, onOnly } = useBookPage();
  const isLeftOut = without === address;
  const isAlone = only === address;
  const isWatched = useWalletBook(({ wallets }) => wallets.some((wallet) => wallet.address === address));
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
        {isWatched ? (
          <Button look="plain" icon={EyeOff} onClick={() => unwatchWallet(address)}>
            Stop watching
          </Button>
        ) : (
          <Button look="plain" icon={Eye} onClick={() => watchWallet(address)}>
            Watch
          </Button>
        )}
        <Button look="plain" icon={Ghost} onClick={() => onWithout(isLeftOut ? undefined : address)}>
          {isLeftOut ? 'Book with it' : 'Book without it'}
        </Button>
        <Button
          look="plain"
          icon={isAlone ? Users : User}
          aria-pressed={isAlone}
          title="Only this wallet's orders in the ladder; Escape shows everybody's again"
          onClick={() => onOnly(isAlone ? undefined : address)}
        >
          {isAlone ? 'Everybody again' : 'Only it'}
        </Button>
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
