import { coinDex } from '@l4desk/protocol';
import { dexesOf } from '../market/catalogue.ts';
import { infoKind } from './kind.ts';

const DEPLOYER = '0x88806a71d74ad0a510b350545c9ae490912f0888';
const FEE_RECIPIENT = '0x97f46f90c04efb91d0d740bd263e76683ca6f904';

/** The builder dexes. The first entry is the canonical dex, which is null. */
export const perpDexs = infoKind({
  type: 'perpDexs',
  weight: 20,
  respond(_request, { coins }) {
    return [
      null,
      ...dexesOf(coins).map((dex) => ({
        name: dex,
        fullName: dex.toUpperCase(),
        deployer: DEPLOYER,
        oracleUpdater: null,
        feeRecipient: FEE_RECIPIENT,
        assetToStreamingOiCap: coins
          .filter((coin) => coinDex(coin.name) === dex)
          .map((coin) => [coin.name, '25000000.0']),
        subDeployers: [],
        deployerFeeScale: '1.0',
        lastDeployerFeeScaleChangeTime: '1970-01-01T00:00:00',
        assetToFundingMultiplier: [],
      })),
    ];
  },
});
