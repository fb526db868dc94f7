import { DEFAULT_PLAN, issueKey, KyselyStore, newAccount, openDatabase } from '@l4desk/ledger';

/** A key of each kind, for one account. */
export interface IssuedKeys {
  readonly apiKey: string;
  readonly serviceKey: string;
}

/** Writes keys to a service's database, and creates the account, as `l4desk keys create` does, without a program. */
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
