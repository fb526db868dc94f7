import {
  type Account,
  type CredentialKind,
  createToken,
  issueKey,
  newAccount,
  type Plan,
  type Store,
  simulateUsage,
} from '@l4desk/ledger';

/** Name of the account that demo mode creates, and the label of its keys. */
const DEMO = 'demo';

/** Enough credits for days of watching a few ladders and refreshing balances, on top of the month's simulated usage. */
const DEMO_PLAN: Plan = { plan: 'demo', maxCredits: 2_000_000, flexLimit: 500_000, freeCredits: 50_000 };

/** Ensures that the demo account exists and has usage to show. */
export async function prepareDemo(store: Store, now: number): Promise<Account> {
  const account =
    (await store.accountNamed(DEMO)) ??
    (await store.createAccount(newAccount(DEMO, DEMO_PLAN, now))) ??
    (await store.accountNamed(DEMO));
  if (account === undefined) throw new Error('the demo account could not be created or found');
  await simulateUsage(store, account.id, account.freeCredits, now);
  return account;
}

/** Returns a single-use link that signs in with the demo account's keys. The database stores their ids with the token. */
export async function demoSignInLink(store: Store, publicUrl: string, now: number, ttlMs: number): Promise<string> {
  const account = await prepareDemo(store, now);
  const known = (await store.listCredentials()).filter(
    (credential) => credential.accountId === account.id && credential.label === DEMO && credential.revokedAt === null,
  );
  const keyId = async (kind: CredentialKind) =>
    known.find((credential) => credential.kind === kind)?.id ?? (await issueKey(store, account.id, kind, DEMO, now)).id;
  const credentials = {
    accountId: account.id,
    apiCredentialId: await keyId('api'),
    serviceCredentialId: await keyId('service'),
  };
  const { token, hash } = createToken();
  await store.createSignInToken({ tokenHash: hash, expiresAt: now + ttlMs }, credentials);
  // The token is in the fragment, which browsers never send: no log records it and no prefetch uses it up (AUTH-21).
  return `${publicUrl}/sign-in#token=${token}`;
}
