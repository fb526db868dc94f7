import { create } from 'zustand';
import { onAccountChange } from '../state/account.ts';

interface WalletsDialogState {
  readonly isOpen: boolean;
  /** The tab that it opens with; undefined for the list, unless that is empty. */
  readonly tab: 'add' | undefined;
  /** What the import opens with. */
  readonly pasted: string;
  readonly open: () => void;
  readonly openImport: (pasted?: string) => void;
  readonly close: () => void;
}

/** Whether the address book is open; any page can open it. */
export const useWalletsDialog = create<WalletsDialogState>()((set) => ({
  isOpen: false,
  tab: undefined,
  pasted: '',
  open: () => set({ isOpen: true, tab: undefined, pasted: '' }),
  openImport: (pasted = '') => set({ isOpen: true, tab: 'add', pasted }),
  close: () => set({ isOpen: false, pasted: '' }),
}));

onAccountChange({ leave: () => useWalletsDialog.getState().close() });
