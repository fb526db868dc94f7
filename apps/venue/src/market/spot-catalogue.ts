/** A token of the spot market. */
export interface SpotToken {
  readonly name: string;
  readonly index: number;
  readonly szDecimals: number;
  /** Decimals of balances. */
  readonly weiDecimals: number;
  readonly tokenId: string;
  readonly isCanonical: boolean;
  readonly evmContract: { readonly address: string; readonly evm_extra_wei_decimals: number } | null;
  readonly fullName: string | null;
  readonly supply: string;
}

/** A spot pair; its quote is always USDC. */
export interface SpotPair {
  readonly name: string;
  readonly index: number;
  readonly base: SpotToken;
  readonly isCanonical: boolean;
  /** Price at the start, in ticks of `10^-(8 − szDecimals)` dollars. */
  readonly startPx: number;
  /** Price movement per block, in millionths. */
  readonly volatility: number;
}

type TokenRow = readonly [
  name: string,
  index: number,
  szDecimals: number,
  weiDecimals: number,
  tokenId: string,
  evm: readonly [address: string, extraWei: number] | null,
  fullName: string | null,
  supply: string,
];

/** Tokens as the exchange lists them, with their real indices: neither they nor those of the pairs are consecutive. */
const TOKEN_ROWS: readonly TokenRow[] = [
  ['USDC', 0, 8, 8, '0x6d1e7cde53ba9467b783cb7c530ce054', null, null, '0.0'],
  [
    'PURR',
    1,
    0,
    5,
    '0xc1fb593aeffbeb02f85e0308e9956a90',
    ['0x9b498c3c8a0b8cd8ba1d9851d40d186f1872b44e', 13],
    null,
    '596400654.3242599964',
  ],
  [
    'HFUN',
    2,
    2,
    8,
    '0xbaf265ef389da684513d98d68edf4eae',
    ['0xa320d9f65ec992eff38622c63627856382db726c', 10],
    null,
    '996321.34420068',
  ],
  ['HYPE', 150, 2, 8, '0x0d01dc56dcaaca66ad901c959b4011ec', null, 'Hyperliquid', '999631892.0948150158'],
  [
    'UBTC',
    197,
    5,
    10,
    '0x8f254b963e8468305d409b33aa137c67',
    ['0x9fdbda0a5e284c32744d2f17ee5c74b284993463', -2],
    'Unit Bitcoin',
    '20999999.9990158156',
  ],
  [
    'UETH',
    221,
    4,
    9,
    '0xe1edd30daaf5caac3fe63569e24748da',
    ['0xbe6727b535545c67d5caa73dea54865b92cf7907', 9],
    'Unit Ethereum',
    '99999999.9923749119',
  ],
  [
    'USOL',
    254,
    3,
    8,
    '0x49b67c39f5566535de22b29b0e51e685',
    ['0x068f321fa8fb9f0d135f290ef6a3e2813e1c8a29', 1],
    'Unit Solana',
    '99999999.99',
  ],
];

export const SPOT_TOKENS: readonly SpotToken[] = TOKEN_ROWS.map(
  ([name, index, szDecimals, weiDecimals, tokenId, evm, fullName, supply]) => ({
    name,
    index,
    szDecimals,
    weiDecimals,
    tokenId,
    // On the exchange, the first two are canonical.
    isCanonical: index < 2,
    evmContract: evm === null ? null : { address: evm[0], evm_extra_wei_decimals: evm[1] },
    fullName,
    supply,
  }),
);

/** The quote of every pair. */
export const USDC = token('USDC');

type PairRow = readonly [name: string, index: number, base: string, startPx: number, volatility: number];

const PAIR_ROWS: readonly PairRow[] = [
  ['PURR/USDC', 0, 'PURR', 14_821_000, 16],
  ['@1', 1, 'HFUN', 17_149_000, 16],
  ['@107', 107, 'HYPE', 28_415_000, 16],
  ['@142', 142, 'UBTC', 81_307_000, 8],
  ['@151', 151, 'UETH', 29_413_000, 10],
  ['@156', 156, 'USOL', 13_642_000, 12],
];

/** Every pair of the simulated spot market, in the order of `spotMeta`. */
export const SPOT_PAIRS: readonly SpotPair[] = PAIR_ROWS.map(([name, index, base, startPx, volatility]) => ({
  name,
  index,
  base: token(base),
  isCanonical: name.includes('/'),
  startPx,
  volatility,
}));

function token(name: string): SpotToken {
  const found = SPOT_TOKENS.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(`no token ${name}`);
  return found;
}
