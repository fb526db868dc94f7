import { ApiError, INFO_KINDS, servedFundingHistory } from '@l4desk/protocol';
import type { InfoClient } from '../exchange/info-client.ts';
import type { Universe } from '../exchange/universe.ts';
import { UpstreamError } from '../exchange/upstream-error.ts';
import { checkedKind } from './checked.ts';
import { serviceCodeOf } from './upstream-failure.ts';

export interface FundingHistoryDeps {
  readonly info: InfoClient;
  readonly universe: Pick<Universe, 'classify' | 'isDelisted'>;
}

/** The funding rates of one coin over a window of time (§4.5), of a delisted one too (D51). Without `endTime` the exchange takes its own clock's now. */
export const fundingHistory = ({ info, universe }: FundingHistoryDeps) =>
  checkedKind({
    ...INFO_KINDS.fundingHistory,
    type: 'fundingHistory',
    info,
    serve: servedFundingHistory,
    onFailure(error, { coin }) {
      // A coin that is listed, delisted ones too, is known: the exchange failed and does not mean the coin.
      if (isUnknownCoin(error) && universe.classify(coin) !== 'served' && !universe.isDelisted(coin))
        throw new ApiError('unknown_coin', 'The exchange has no coin with this name; names are case-sensitive.', {
          path: 'coin',
        });
    },
  });

/** How the exchange says that it does not know a coin, 500 `null` (D18), and how a service like ours says it. */
function isUnknownCoin(error: unknown): boolean {
  if (!(error instanceof UpstreamError) || error.failure.kind !== 'status') return false;
  const { status, text } = error.failure;
  return (status === 500 && text.trim() === 'null') || serviceCodeOf(text) === 'unknown_coin';
}
