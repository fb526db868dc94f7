import type { Address } from '@l4desk/protocol';
import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { passesFocus } from '../../ui/pass-focus.ts';
import { useWallet } from '../../wallets/wallet-book.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { useBookPage } from './book-page.ts';

/** A prominent notice that the ladder shows only one wallet, so that nobody takes it for the whole book. */
export function OnlyBand({ address }: { readonly address: Address }) {
  const { onOnly } = useBookPage();
  const wallet = useWallet(address);
  return (
    <output
      ref={passesFocus}
      data-part="only"
      data-toasts="above"
      className="absolute inset-x-2 bottom-2 flex min-h-(--control) items-center gap-2 rounded-4 border-2 border-stale bg-surface-2 pl-3 text-12 text-strong"
    >
      <span className="min-w-0">
        <strong className="font-semibold text-stale">NOT THE BOOK</strong>: only <WalletName wallet={wallet} />
        <span className="text-text max-sm:hidden">
          . Best prices, spread, panes and figures are of the whole book. Escape shows everybody again.
        </span>
      </span>
      <span className="ml-auto">
        <IconButton icon={X} name="Show everybody's orders again (Esc)" onClick={() => onOnly(undefined)} />
      </span>
    </output>
  );
}

/** Says whose orders the numbers exclude, with a button that ends it. */
export function WithoutBand({ address }: { readonly address: Address }) {
  const { onWithout } = useBookPage();
  const wallet = useWallet(address);
  return (
    <div
      ref={passesFocus}
      data-part="without"
      className="absolute bottom-2 left-4 flex h-(--control) max-w-[90%] items-center gap-2 rounded-4 border border-edge bg-surface-2 pl-3 text-12 text-text"
    >
      <span className="truncate">
        without <WalletName wallet={wallet} />
        <span className="max-sm:hidden">
          : numbers leave its orders out; spread, best prices and figures are of the whole book
        </span>
      </span>
      <IconButton icon={X} name="Show the whole book again" onClick={() => onWithout(undefined)} />
    </div>
  );
}
