import { X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { passesFocus } from '../../ui/pass-focus.ts';
import { useWallet } from '../../wallets/wallet-book.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { useBookPage } from './book-page.ts';

/** Says whose orders the numbers exclude, with a button that ends it. */
export function WithoutBand() {
  const { without, onWithout } = useBookPage();
  return without === undefined ? null : <Band address={without} onClose={() => onWithout(undefined)} />;
}

interface BandProps {
  readonly address: NonNullable<ReturnType<typeof useBookPage>['without']>;
  readonly onClose: () => void;
}

function Band({ address, onClose }: BandProps) {
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
      <IconButton icon={X} name="Show the whole book again" onClick={onClose} />
    </div>
  );
}
