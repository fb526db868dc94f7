import { USDC } from '../market/spot-catalogue.ts';
import type { Exchange } from './exchange.ts';
import { infoKind } from './kind.ts';

/** The spot pairs and their tokens. */
export const spotMeta = infoKind({
  type: 'spotMeta',
  weight: 20,
  respond: (_body, exchange) => spotMetaOf(exchange),
});

export function spotMetaOf({ spotPairs, spotTokens }: Exchange): object {
  return {
    universe: spotPairs.map(({ base, name, index, isCanonical }) => ({
      tokens: [base.index, USDC.index],
      name,
      index,
      isCanonical,
    })),
    tokens: spotTokens.map(({ name, szDecimals, weiDecimals, index, tokenId, isCanonical, evmContract, fullName }) => ({
      name,
      szDecimals,
      weiDecimals,
      index,
      tokenId,
      isCanonical,
      evmContract,
      fullName,
      deployerTradingFeeShare: '0.0',
    })),
  };
}
