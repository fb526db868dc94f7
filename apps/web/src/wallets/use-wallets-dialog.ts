import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';

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
