import { clearinghouseStates, type WalletResult } from '@l4desk/client';
import type { Address, PerpAccountSlot } from '@l4desk/protocol';
import { isRefusal } from '../ui/page/advice.ts';
import { infoQuery } from './info-query.ts';

/**
 * The perp accounts of wallets on one dex (the canonical one is ''), by wallet. Fails if every wallet fails, so that the last
 * ones stay. 25 credits for every 50 wallets or part of 50.
 */
export const perpAccountsQuery = (dex: string, users: readonly Address[]) =>
  infoQuery(
    ['batchClearinghouseState', dex, users.join()],
    async (client, options): Promise<ReadonlyMap<Address, WalletResult<PerpAccountSlot>>> => {
      const { results } = await clearinghouseStates(client, { users, ...(dex === '' ? {} : { dex }) }, options);
      const errors = results.flatMap((result) => (result.kind === 'failed' ? [result.error] : []));
      const refusal = errors.find(isRefusal);
      if (refusal !== undefined) throw refusal;
      if (errors.length === results.length && errors[0] !== undefined) throw errors[0];
      return new Map(results.map((result) => [result.user, result]));
    },
  );
