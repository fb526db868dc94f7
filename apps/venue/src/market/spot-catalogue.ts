/** A token of the spot market. */
export type SpotToken = Readonly<ReturnType<typeof token>>;

/** A spot pair; its quote is always USDC. */
export type SpotPair = Readonly<ReturnType<typeof pair>>;

/** The tokens that also have a contract on the exchange's EVM, and how many more decimals that has. */
const EVM_CONTRACTS: Readonly<Record<string, readonly [address: string, extraWei: number]>> = {
  PURR: ['0x9b498c3c8a0b8cd8ba1d9851d40d186f1872b44e', 13],
  HFUN: ['0xa320d9f65ec992eff38622c63627856382db726c', 10],
  UBTC: ['0x9fdbda0a5e284c32744d2f17ee5c74b284993463', -2],
  UETH: ['0xbe6727b535545c67d5caa73dea54865b92cf7907', 9],
  USOL: ['0x068f321fa8fb9f0d135f290ef6a3e2813e1c8a29', 1],
};

function token(
  name: string,
  index: number,
  szDecimals: number,
  /** Decimals of balances. */
  weiDecimals: number,
  tokenId: string,
  supply: string,
  fullName: string | null = null,
) {
  const evm = EVM_CONTRACTS[name];
  const evmContract = evm === undefined ? null : { address: evm[0], evm_extra_wei_decimals: evm[1] };
  // On the exchange, the first two are canonical.
  return { name, index, szDecimals, weiDecimals, tokenId, isCanonical: index < 2, evmContract, fullName, supply };
}

/** Tokens as the exchange lists them, with their real indices: neither they nor those of the pairs are consecutive. */
export const SPOT_TOKENS: readonly SpotToken[] = [
  token('USDC', 0, 8, 8, '0x6d1e7cde53ba9467b783cb7c530ce054', '0.0'),
  token('PURR', 1, 0, 5, '0xc1fb593aeffbeb02f85e0308e9956a90', '596400654.3242599964'),
  token('HFUN', 2, 2, 8, '0xbaf265ef389da684513d98d68edf4eae', '996321.34420068'),
  token('HYPE', 150, 2, 8, '0x0d01dc56dcaaca66ad901c959b4011ec', '999631892.0948150158', 'Hyperliquid'),
  token('UBTC', 197, 5, 10, '0x8f254b963e8468305d409b33aa137c67', '20999999.9990158156', 'Unit Bitcoin'),
  token('UETH', 221, 4, 9, '0xe1edd30daaf5caac3fe63569e24748da', '99999999.9923749119', 'Unit Ethereum'),
  token('USOL', 254, 3, 8, '0x49b67c39f5566535de22b29b0e51e685', '99999999.99', 'Unit Solana'),
];

/** The quote of every pair. */
export const USDC = tokenOf('USDC');

/** `startPx`: price at the start, in ticks of `10^-(8 − szDecimals)` dollars; `volatility`: movement per block, in millionths. */
function pair(name: string, index: number, base: string, startPx: number, volatility: number) {
  return { name, index, base: tokenOf(base), isCanonical: name.includes('/'), startPx, volatility };
}

/** Every pair of the simulated spot market, in the order of `spotMeta`. */
export const SPOT_PAIRS: readonly SpotPair[] = [
  pair('PURR/USDC', 0, 'PURR', 14_821_000, 16),
  pair('@1', 1, 'HFUN', 17_149_000, 16),
  pair('@107', 107, 'HYPE', 28_415_000, 16),
  pair('@142', 142, 'UBTC', 81_307_000, 8),
  pair('@151', 151, 'UETH', 29_413_000, 10),
  pair('@156', 156, 'USOL', 13_642_000, 12),
];

function tokenOf(name: string): SpotToken {
  const found = SPOT_TOKENS.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`no token ${name}`);
  return found;
}
