import { createStore, get, set, type UseStore } from 'idb-keyval';
import { currentAccount } from './account.ts';

/**
 * Values too large for local storage, kept in this browser for each account on its own. A browser that keeps nothing, or has
 * no room, is as good as an empty one: what was paid for is shown as long as the page stands.
 */

const stores = new Map<string, UseStore>();

function storeOf(account: string): UseStore {
  const known = stores.get(account);
  if (known !== undefined) return known;
  const store = createStore(`l4desk.${account}`, 'values');
  stores.set(account, store);
  return store;
}

/** The value kept under a name for the current account, to be checked like anything from outside; undefined when there is none. */
export async function readKept(name: string): Promise<unknown> {
  const account = currentAccount();
  if (account === undefined) return undefined;
  try {
    const value: unknown = await get(name, storeOf(account));
    // Somebody else has signed in meanwhile.
    return currentAccount() === account ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a value, of what a structured clone can hold, under a name for the current account. */
export async function keep(name: string, value: unknown): Promise<void> {
  const account = currentAccount();
  if (account === undefined) return;
  try {
    await set(name, value, storeOf(account));
  } catch {
    // No database, or no room in it.
  }
}
