import { createStore, get, set, type UseStore } from 'idb-keyval';
import { currentAccount } from './account.ts';

/**
 * Values too large for local storage, stored in this browser per account. A browser that stores nothing, or is full, behaves
 * like an empty one: paid responses then stay visible only as long as the page is open.
 */

const stores = new Map<string, UseStore>();

function storeOf(account: string): UseStore {
  const known = stores.get(account);
  if (known !== undefined) return known;
  const store = createStore(`l4desk.${account}`, 'values');
  stores.set(account, store);
  return store;
}

/** Reads the current account's value under `name`, to be validated like any external input; undefined if there is none. */
export async function readKept(name: string): Promise<unknown> {
  const account = currentAccount();
  if (account === undefined) return undefined;
  try {
    const value: unknown = await get(name, storeOf(account));
    // Another account may have signed in meanwhile.
    return currentAccount() === account ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a value under `name` for the current account. The value must be structured-cloneable. */
export async function keep(name: string, value: unknown): Promise<void> {
  const account = currentAccount();
  if (account === undefined) return;
  try {
    await set(name, value, storeOf(account));
  } catch {
    // No database, or no space left in it.
  }
}
