import { ApiError, INFO_KINDS, servedFundingHistory } from '@l4desk/protocol';
import type { Universe } from '../exchange/universe.ts';
import { UpstreamError } from '../exchange/upstream-error.ts';
import { type CheckedDeps, checkedKind } from './checked.ts';
import { serviceCodeOf } from './upstream-failure.ts';

export interface FundingHistoryDeps extends CheckedDeps {
  readonly universe: Pick<Universe, 'classify' | 'isDelisted'>;
}

/**
 * Funding rates of one coin over a time window (§4.5). The coin may be delisted (D51). Without `endTime` the exchange uses
 * its current time.
 */
export const fundingHistory = ({ universe, ...deps }: FundingHistoryDeps) =>
  checkedKind({
    ...INFO_KINDS.fundingHistory,
    type: 'fundingHistory',
    ...deps,
    serve: servedFundingHistory,
    onFailure(error, { coin }) {
      // For a listed or delisted coin, which is known to exist, the error is a failure of the exchange.
      if (isUnknownCoin(error) && universe.classify(coin) !== 'served' && !universe.isDelisted(coin))
        throw new ApiError('unknown_coin', 'The exchange has no coin with this name; names are case-sensitive.', {
          path: 'coin',
        });
    },
  });

/** Whether the error means an unknown coin: 500 `null` from the exchange (D18), or the error code of a service like this one. */
function isUnknownCoin(error: unknown): boolean {
  if (!(error instanceof UpstreamError) || error.failure.kind !== 'status') return false;
  const { status, text } = error.failure;
  return (status === 500 && text.trim() === 'null') || serviceCodeOf(text) === 'unknown_coin';
}
