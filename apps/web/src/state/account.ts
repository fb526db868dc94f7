import { create, type StateCreator } from 'zustand';
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware';

/** What must happen when another account signs in, or nobody is signed in any more. */
interface AccountChange {
  /** The account is gone: forget what belonged to it. */
  readonly leave?: () => void;
  /** Another one is here: read what this browser keeps of it. */
  readonly enter?: () => void;
}

let current: string | undefined;
const listeners = new Set<AccountChange>();

/** The id of the account this page belongs to; undefined while nobody is signed in. */
export function currentAccount(): string | undefined {
  return current;
}

/** Gives the page to another account, or to nobody: what belonged to the one before is gone when this returns. */
export function changeAccount(next: string | undefined): void {
  if (next === current) return;
  // Nobody's in between, so that what is emptied is not written over what the account keeps.
  current = undefined;
  for (const { leave } of listeners) leave?.();
  current = next;
  if (next !== undefined) for (const { enter } of listeners) enter?.();
}

/** Hears of every change of account, for as long as the page stands. */
export function onAccountChange(listener: AccountChange): void {
  listeners.add(listener);
}

/**
 * Browser storage in which each account has its own entries. Nothing is read or written while nobody is signed in. What was
 * kept before entries had an account goes to the first one that asks.
 */
export const accountStorage: StateStorage = {
  getItem: (name) => {
    const key = keyOf(name);
    if (key === undefined) return null;
    const shared = localStorage.getItem(name);
    if (shared !== null && localStorage.getItem(key) === null) {
      localStorage.setItem(key, shared);
      localStorage.removeItem(name);
    }
    return localStorage.getItem(key);
  },
  setItem: (name, text) => {
    const key = keyOf(name);
    if (key !== undefined) localStorage.setItem(key, text);
  },
  removeItem: (name) => {
    const key = keyOf(name);
    if (key !== undefined) localStorage.removeItem(key);
  },
};

function keyOf(name: string): string | undefined {
  return current === undefined ? undefined : `${name}.${current}`;
}

/**
 * A store that this browser keeps for each account on its own, under `name`: emptied when the account is gone, filled for the
 * next one. `read` makes of anything that was kept, of any age, what of the state is kept.
 */
export function accountStore<S>(
  name: string,
  read: (kept: unknown) => Partial<S>,
  creator: StateCreator<S, [['zustand/persist', unknown]]>,
) {
  const store = create<S>()(
    persist(creator, {
      name,
      storage: createJSONStorage(() => accountStorage),
      version: 1,
      migrate: read,
      merge: (kept, current) => ({ ...current, ...read(kept) }),
      partialize: read,
    }),
  );
  onAccountChange({
    leave: () => store.setState(store.getInitialState(), true),
    enter: () => void store.persist.rehydrate(),
  });
  return store;
}
