import { z } from '@l4desk/protocol';
import { createId, createKey, type NewKey } from './keys.ts';
import type { Store } from './kysely-store.ts';
import type { Account, CredentialKind, Plan } from './store.ts';

/** An account's name, as typed on a command line and shown in a header. */
export const accountName = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u,
    'must be 1 to 64 letters, digits, spaces or . _ @ - and start with a letter or digit',
  );

/** The owner's label for a key. */
export const keyLabel = z.string().regex(/^\P{Cc}{0,64}$/u, 'must be one line of at most 64 characters');

/** Credits a month: whole numbers small enough that a double holds their sums exactly. */
export const creditCount = z.int().min(0).max(1_000_000_000_000_000, 'must be at most 1,000,000,000,000,000');

/** The default plan of an account, in credits a month: enough for a team. */
export const DEFAULT_PLAN = {
  plan: 'standard',
  maxCredits: 100_000_000,
  flexLimit: 10_000_000,
  freeCredits: 1_000_000,
} as const;

/** Returns an account with a new id. `now` is ms since the Unix epoch; the name is not checked (see `accountName`). */
export function newAccount(name: string, plan: Plan, now: number): Account {
  return { id: createId('acc'), name, ...plan, createdAt: now };
}

/** Creates a key and stores its hash; only the returned value contains the key. Rejects with DatabaseError. */
export async function issueKey(
  store: Store,
  accountId: string,
  kind: CredentialKind,
  label: string,
  now: number,
): Promise<{ readonly id: string; readonly key: NewKey['key'] }> {
  const { key, ...kept } = createKey(kind);
  const id = createId('key');
  await store.createCredential({ id, accountId, kind, label, ...kept, createdAt: now });
  return { id, key };
}
