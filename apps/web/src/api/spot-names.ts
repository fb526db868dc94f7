import type { SpotMeta } from '@l4desk/protocol/upstream';

/**
 * Returns a function that names spot pairs: `@107` becomes `HYPE/USDC @107`. Other coins, and pairs without a name, are
 * unchanged.
 */
export function spotNames(meta: SpotMeta | undefined): (coin: string) => string {
  if (meta === undefined) return (coin) => coin;
  const token = new Map(meta.tokens.map(({ index, name }) => [index, name]));
  const names = new Map(
    meta.universe.map(({ name, index, tokens }) => {
      const pair = tokens.map((at) => token.get(at) ?? `token ${at}`).join('/');
      return [`@${index}`, name.startsWith('@') ? pair : name];
    }),
  );
  return (coin) => {
    const name = names.get(coin);
    return name === undefined ? coin : `${name} ${coin}`;
  };
}
