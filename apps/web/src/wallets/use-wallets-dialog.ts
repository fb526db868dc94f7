import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';

interface WalletsDialogState {
  readonly isOpen: boolean;
  /** The tab that it opens with; undefined for the list, unless that is empty. */
  readonly tab: 'add' | undefined;
  readonly open: () => void;
  readonly openImport: () => void;
  readonly close: () => void;
}

/** Whether the address book is open; any page can open it. */
export const useWalletsDialog = create<WalletsDialogState>()((set) => ({
  isOpen: false,
  tab: undefined,
  open: () => set({ isOpen: true, tab: undefined }),
  openImport: () => set({ isOpen: true, tab: 'add' }),
  close: () => set({ isOpen: false }),
}));

onAccountChange({ leave: () => useWalletsDialog.getState().close() });
