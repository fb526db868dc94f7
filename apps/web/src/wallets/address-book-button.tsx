import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';
import { Button } from '../ui/button.tsx';

/** Offered where a page has no wallets to show. */
export function AddressBookButton({ look = 'primary' }: { readonly look?: 'primary' | 'plain' }) {
  const openBook = useWalletsDialog((state) => state.open);
  return (
    <Button look={look} onClick={openBook}>
      Open the address book
    </Button>
  );
}

interface WalletsDialogState {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Whether the address book is open; any page can open it. */
export const useWalletsDialog = create<WalletsDialogState>()((set) => ({
  isOpen: false,
  open: () => set({ isOpen: true }),
  close: () => set({ isOpen: false }),
}));

onAccountChange({ leave: () => useWalletsDialog.getState().close() });
