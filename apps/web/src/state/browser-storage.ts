import { create } from 'zustand';

/** Whether something could not be stored since the page was opened. */
export const useUnstored = create<{ readonly isUnstored: boolean }>()(() => ({ isUnstored: false }));

/** A storage that never throws: one that is closed to the page, or full, behaves like an empty one. */
function guarded(storage: () => Storage) {
  return {
    getItem: (name: string) => {
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    setItem: (name: string, text: string) => {
      try {
        storage().setItem(name, text);
      } catch {
        useUnstored.setState({ isUnstored: true });
      }
    },
    removeItem: (name: string) => {
      try {
        storage().removeItem(name);
      } catch {
        // It holds nothing.
      }
    },
  };
}

/** What this browser keeps, shared by all windows. */
export const browserStorage = guarded(() => localStorage);

/** What this window keeps; a window that it opens gets a copy. */
export const windowStorage = guarded(() => sessionStorage);
