import { Button } from '../ui/button.tsx';
import { useWalletsDialog } from './use-wallets-dialog.ts';

/** Offered where a page has no wallets to show. */
export function AddressBookButton({ look = 'primary' }: { readonly look?: 'primary' | 'plain' }) {
  const openBook = useWalletsDialog((state) => state.open);
  return (
    <Button look={look} onClick={openBook}>
      Open the address book
    </Button>
  );
}
