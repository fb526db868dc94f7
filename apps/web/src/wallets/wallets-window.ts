import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';

interface WalletsWindow {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Whether the address book is open, from wherever it was asked for. */
export const useWalletsWindow = create<WalletsWindow>()((set) => ({
  isOpen: false,
  open: () => set({ isOpen: true }),
  close: () => set({ isOpen: false }),
}));

onAccountChange({ leave: () => useWalletsWindow.getState().close() });
