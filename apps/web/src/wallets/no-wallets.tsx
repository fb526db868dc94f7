import { Button } from '../ui/button.tsx';
import { Empty, Loading } from '../ui/page/states.tsx';
import { useWalletsDialog } from './use-wallets-dialog.ts';
import { useWalletBook } from './wallet-book.ts';

/** Shown where no wallet is chosen: how to choose one. */
export function NoWallets({ look = 'primary' }: { readonly look?: 'primary' | 'plain' }) {
  const isBookEmpty = useWalletBook((book) => book.wallets.length === 0);
  const isAwaited = useWalletBook((book) => book.awaitsWallets);
  const openBook = useWalletsDialog((state) => state.open);
  if (isAwaited) return <Loading what="the address book" />;
  return (
    <Empty
      action={
        <Button look={look} onClick={openBook}>
          Open the address book
        </Button>
      }
    >
      {isBookEmpty
        ? 'The address book is empty. Paste or import addresses to start.'
        : 'Select a wallet above, or add wallets to the address book.'}
    </Empty>
  );
}
