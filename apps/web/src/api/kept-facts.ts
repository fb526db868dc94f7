import { address, parsedJson, z } from '@l4desk/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { accountStorage, storedList } from '../state/account.ts';
import { PAID } from './client.ts';

/** What hardly changes of a wallet, one credit a wallet: its role, and the mode of its account. */
const KINDS = ['userRole', 'userAbstraction'] as const;

const NAME = 'l4desk.wallet-facts';

/** Kept facts at most, the last ones: about 150 KB. */
const FACTS_MAX = 2_000;

const fact = z.object({
  kind: z.enum(KINDS),
  user: address,
  updatedAt: z.int(),
  data: z.union([z.string(), z.looseObject({ role: z.string() })]),
});

/** Stores what was loaded about wallets in this browser, for the account: a reload of the page does not pay for it again. */
export function keepFacts(queryClient: QueryClient): void {
  const facts = queryClient
    .getQueryCache()
    .findAll({ queryKey: ['info'], predicate: ({ queryKey }) => KINDS.some((kind) => kind === queryKey[1]) })
    .flatMap(({ queryKey: [, kind, user], state: { data, dataUpdatedAt: updatedAt } }) =>
      data === undefined ? [] : { kind, user, updatedAt, data },
    );
  accountStorage.setItem(NAME, JSON.stringify(facts.slice(-FACTS_MAX)));
}

/** Fills the cache with the facts that are not older than a paid response gets in it. */
export function restoreFacts(queryClient: QueryClient): void {
  for (const kind of KINDS) queryClient.setQueryDefaults(['info', kind], PAID);
  const kept = accountStorage.getItem(NAME);
  if (typeof kept !== 'string') return;
  for (const { kind, user, updatedAt, data } of storedList(fact).parse(parsedJson(kept))) {
    if (Date.now() - updatedAt < PAID.gcTime) queryClient.setQueryData(['info', kind, user], data, { updatedAt });
  }
}
