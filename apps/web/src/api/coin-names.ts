import { coinMarket } from '@l4desk/protocol';

/** The exchange reports tickers only. Those whose names people type, each with its name. */
const TABLE = `
  AAVE Aave, ADA Cardano, ALGO Algorand, APT Aptos, ARB Arbitrum, ATOM Cosmos, AVAX Avalanche, BCH Bitcoin Cash, BNB Binance Coin,
  BONK Bonk, BTC Bitcoin, CRV Curve, DOGE Dogecoin, DOT Polkadot, ENA Ethena, ETC Ethereum Classic, ETH Ethereum, FIL Filecoin,
  HBAR Hedera, HYPE Hyperliquid, INJ Injective, JUP Jupiter, LDO Lido, LINK Chainlink, LTC Litecoin, NEAR Near Protocol,
  OP Optimism, PAXG Pax Gold, PENDLE Pendle, PEPE Pepe, POL Polygon, PUMP Pump.fun, RENDER Render, SEI Sei, SHIB Shiba Inu,
  SOL Solana, SUI Sui, TAO Bittensor, TIA Celestia, TON Toncoin, TRUMP Official Trump, TRX Tron, UNI Uniswap, WIF Dogwifhat,
  WLD Worldcoin, XLM Stellar, XMR Monero, XRP Ripple, ZEC Zcash`;

const NAMES = new Map(
  TABLE.split(',').map((entry): [string, string] => {
    const [ticker = '', ...name] = entry.trim().split(' ');
    return [ticker, name.join(' ')];
  }),
);

/** The name of a coin, also of a builder dex (`xyz:BTC`) or in thousands (`kPEPE`); undefined if it is not in the table. */
export function fullNameOf(coin: string): string | undefined {
  const ticker = coin.slice(coin.indexOf(':') + 1);
  return NAMES.get(ticker) ?? (ticker.startsWith('k') ? NAMES.get(ticker.slice(1)) : undefined);
}

/** Charting sites put the venue before a symbol. A builder dex is no venue: it is part of the coin's name. */
const VENUE = /^(?:binance|bitget|bybit|coinbase|hyperliquid|kraken|okx):/;

/**
 * The coin of a symbol in lower case as other venues write it (`btc-perp`, `btcusdt`, `1000pepe`), or of a link to the exchange's
 * page of a perp; undefined for other texts.
 */
export function baseOfSymbol(symbol: string): string | undefined {
  const linked = /^https?:\/\/[^?#]+\/trade\/([^/?#]+)/.exec(symbol)?.[1];
  if (linked !== undefined) return linked;
  const named = symbol.replace(VENUE, '').replace(/^1000(?=[a-z])/, 'k');
  const base = /^(.+?)[-/_:]?(?:usd[ct]?|perp)(?:[-.]?(?:p|perp|swap))?$/.exec(named)?.[1];
  return base ?? (named === symbol ? undefined : named);
}

/** The one perp that a text names in another letter case (`btc`) or as a symbol of another venue (`BTC-PERP`); else the text. */
export function perpNamed(coins: readonly string[], text: string): string {
  if (coins.includes(text) || coinMarket(text) !== 'perp') return text;
  const wanted = text.toLowerCase();
  const found = [wanted, baseOfSymbol(wanted)].map((name) => coins.filter((coin) => coin.toLowerCase() === name));
  return found.find(({ length }) => length === 1)?.[0] ?? text;
}

/** Whether one letter is missing, added or wrong, or two are swapped, in a word or, while it is typed, in its start. */
export function isMisspelt(typed: string, word: string): boolean {
  const starts = [-1, 0, 1].map((more) => word.slice(0, typed.length + more));
  return [word, ...starts].some((whole) => {
    let start = 0;
    while (start < whole.length && whole[start] === typed[start]) start += 1;
    let end = 0;
    while (end < Math.min(whole.length, typed.length) - start && whole.at(-1 - end) === typed.at(-1 - end)) end += 1;
    const [is, was] = [whole.slice(start, whole.length - end), typed.slice(start, typed.length - end)];
    return (is.length <= 1 && was.length <= 1) || (is.length === 2 && is === was.split('').toReversed().join(''));
  });
}
