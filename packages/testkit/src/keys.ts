import { DEFAULT_PLAN, issueKey, KyselyStore, newAccount, openDatabase } from '@l4desk/ledger';

/** A key of each kind, of one account. */
export interface IssuedKeys {
  readonly apiKey: string;
  readonly serviceKey: string;
}

/**
 * Writes keys of an account, which is made if it is missing, into the database of a service: what `l4desk keys create` does
 * (the tests of the command line are about that), without the start of a program for each.
 */
export async function issueKeys(place: string, accountName: string): Promise<IssuedKeys> {
  const store = new KyselyStore(await openDatabase(place));
  try {
    const now = Date.now();
    const account =
      (await store.accountNamed(accountName)) ??
      (await store.createAccount(newAccount(accountName, DEFAULT_PLAN, now)));
    if (account === undefined) throw new Error(`there is no account ${accountName}`);
    const keyOf = async (kind: 'api' | 'service') => (await issueKey(store, account.id, kind, 'testkit', now)).key;
    return { apiKey: await keyOf('api'), serviceKey: await keyOf('service') };
  } finally {
    await store.close();
  }
}
