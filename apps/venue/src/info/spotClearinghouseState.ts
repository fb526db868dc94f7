import { formatUnits } from '@l4desk/decimal';
import { z } from '@l4desk/protocol';
import { user } from './fields.ts';
import { infoKind } from './kind.ts';

/** Decimals of an entry notional: the same as for USDC. */
const ENTRY_DECIMALS = 8;

/** A wallet's spot balances by token. `hold` is the amount tied up by its resting spot orders. */
export const spotClearinghouseState = infoKind({
  type: 'spotClearinghouseState',
  weight: 2,
  request: z.object({ user }),
  respond(asked, exchange) {
    const balances = exchange.spotBalances(asked.user).map(({ token, total, hold, entry }) => ({
      coin: token.name,
      token: token.index,
      total: formatUnits(total, token.weiDecimals, 1),
      hold: formatUnits(hold, token.weiDecimals, 1),
      entryNtl: formatUnits(entry, ENTRY_DECIMALS, 1),
    }));
    const available = exchange.availableAfterMaintenance(asked.user);
    return available === null ? { balances } : { balances, tokenToAvailableAfterMaintenance: available };
  },
});
