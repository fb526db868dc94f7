import { clearinghouseStates, type WalletResult } from '@l4desk/client';
import type { Address, PerpAccountSlot } from '@l4desk/protocol';
import { isRefusal } from '../ui/page/advice.ts';
import { infoQuery } from './info-query.ts';

/** The perp accounts of wallets on one dex (the canonical one is ''), by wallet. 25 credits for every 50 wallets or part of 50. */
export const perpAccountsQuery = (dex: string, users: readonly Address[]) =>
  infoQuery(
    ['batchClearinghouseState', dex, users.join()],
    async (client, options): Promise<ReadonlyMap<Address, WalletResult<PerpAccountSlot>>> => {
      const { results } = await clearinghouseStates(client, { users, ...(dex === '' ? {} : { dex }) }, options);
      const refused = results.find((result) => result.kind === 'failed' && isRefusal(result.error));
      if (refused?.kind === 'failed') throw refused.error;
      return new Map(results.map((result) => [result.user, result]));
    },
  );
