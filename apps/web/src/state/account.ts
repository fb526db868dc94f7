import { z } from '@l4desk/protocol';
import { create, type StateCreator } from 'zustand';
import { createJSONStorage, persist, type StateStorage } from 'zustand/middleware';
import { browserStorage } from './browser-storage.ts';

interface AccountChange {
  readonly leave?: () => void;
  readonly enter?: () => void;
}

let current: string | undefined;
const listeners = new Set<AccountChange>();

/** The id of the account this page belongs to; undefined while nobody is signed in. */
export function currentAccount(): string | undefined {
  return current;
}

/** Switches the page to another account, or to none. The previous account's data is gone when this returns. */
export function changeAccount(next: string | undefined): void {
  if (next === current) return;
  // No account in between, so that clearing a store does not overwrite what the account has stored.
  current = undefined;
  for (const { leave } of listeners) leave?.();
  current = next;
  if (next !== undefined) for (const { enter } of listeners) enter?.();
}

/** Calls `listener` at every change of account, for the lifetime of the page. */
export function onAccountChange(listener: AccountChange): void {
  listeners.add(listener);
}

/**
 * Browser storage in which each account has its own entries. Nothing is read or written while nobody is signed in. A value
 * stored before entries had an account goes to the first account that reads it and has room for it.
 */
export const accountStorage: StateStorage = {
  getItem: (name) => {
    const key = keyOf(name);
    if (key === undefined) return null;
    const own = browserStorage.getItem(key);
    const shared = browserStorage.getItem(name);
    if (shared === null || own !== null) return own;
    browserStorage.setItem(key, shared);
    // A storage that is full keeps it where it was: returned, it would be every account's.
    if (browserStorage.getItem(key) === null) return null;
    browserStorage.removeItem(name);
    return shared;
  },
  setItem: (name, text) => {
    const key = keyOf(name);
    if (key !== undefined) browserStorage.setItem(key, text);
  },
  removeItem: (name) => {
    const key = keyOf(name);
    if (key !== undefined) browserStorage.removeItem(key);
  },
};

function keyOf(name: string): string | undefined {
  return current === undefined ? undefined : `${name}.${current}`;
}

/** Reads the stored entries again, by name. */
const readers = new Map<string, () => void>();

/** Takes over what other windows of this browser store, so that none writes back what it read long ago. Returns the function that stops it. */
export function followOtherWindows(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    for (const [name, read] of readers) if (key === keyOf(name)) read();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/**
 * A store that this browser keeps per account, under `name`. It is cleared when the account leaves and filled when the next one
 * signs in. `read` turns a stored value of any version into the part of the state that is stored.
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
  const enter = () => void store.persist.rehydrate();
  readers.set(name, enter);
  onAccountChange({ leave: () => store.setState(store.getInitialState(), true), enter });
  return store;
}

/** A stored list, parsed item by item, so that an unreadable one does not discard the others. */
export const storedList = <T>(item: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .transform((read) => read.flatMap((one) => item.safeParse(one).data ?? []))
    .catch([])
    .default([]);
