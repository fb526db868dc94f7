import type { SpotMeta } from '@l4desk/protocol/upstream';

/** The names of spot pairs by their coin: `@107` is `HYPE/USDC`. */
export type PairNames = Readonly<Record<string, string>>;

export function pairNames({ tokens, universe }: SpotMeta): PairNames {
  const token = new Map(tokens.map(({ index, name }) => [index, name]));
  return Object.fromEntries(
    universe.map(({ name, index, tokens: pair }) => [
      `@${index}`,
      name.startsWith('@') ? pair.map((at) => token.get(at) ?? `token ${at}`).join('/') : name,
    ]),
  );
}

/**
 * Returns a function that names spot pairs: `@107` becomes `HYPE/USDC @107`. Other coins, and pairs without a name, are
 * unchanged.
 */
export function spotNames(names: PairNames | undefined): (coin: string) => string {
  return (coin) => (names !== undefined && Object.hasOwn(names, coin) ? `${names[coin]} ${coin}` : coin);
}
