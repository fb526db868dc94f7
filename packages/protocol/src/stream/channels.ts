import { coinName } from '../primitives.ts';
import { z } from '../zod.ts';

/** The exchange's own channels that are served from our books, besides `l4BookUpdates`. */
export const BOOK_CHANNELS = ['l2Book', 'bbo', 'trades', 'allMids'] as const;

/** Levels per side that `l2Book` sends by default, and with `fast`. */
export const L2_LEVELS = 20;
const FAST_LEVELS = 5;

const FIGURES_PROBLEM = 'must be a whole number from 2 to 5';
const LEVELS_PROBLEM = 'must be a number of levels from 1 to 100000, or all';

/**
 * Body of a subscription to `l2Book`. `mantissa` makes the step of the last of 5 figures coarser, `fast` has 5 levels a
 * side, and `nLevels` is our extension: that many levels a side, or all.
 */
export const l2BookSubscription = z
  .object({
    type: z.literal('l2Book'),
    coin: coinName,
    nSigFigs: z.int(FIGURES_PROBLEM).min(2, FIGURES_PROBLEM).max(5, FIGURES_PROBLEM).nullish(),
    mantissa: z.union([z.literal(1), z.literal(2), z.literal(5)], 'must be 1, 2 or 5').nullish(),
    fast: z.boolean('must be true or false').nullish(),
    nLevels: z
      .union(
        [z.int(LEVELS_PROBLEM).min(1, LEVELS_PROBLEM).max(100_000, LEVELS_PROBLEM), z.literal('all')],
        LEVELS_PROBLEM,
      )
      .nullish(),
  })
  .refine(({ nSigFigs, mantissa }) => (mantissa ?? null) === null || nSigFigs === 5, {
    message: 'is for nSigFigs 5 only',
    path: ['mantissa'],
  })
  .transform(({ type, coin, nLevels, nSigFigs, mantissa, fast }) => {
    const usual = fast === true ? FAST_LEVELS : L2_LEVELS;
    const levels = nLevels === 'all' ? Number.MAX_SAFE_INTEGER : (nLevels ?? usual);
    const query = { channel: type, coin, nSigFigs: nSigFigs ?? null, mantissa: mantissa ?? null, levels } as const;
    return fast === true ? ({ ...query, fast } as const) : query;
  });

export const bboSubscription = z
  .object({ type: z.literal('bbo'), coin: coinName })
  .transform(({ coin }) => ({ channel: 'bbo', coin }) as const);

/** The parameters of `l2Book` in one form. */
export type L2BookQuery = z.output<typeof l2BookSubscription>;

/** A view of one book, or of all books: the parameters of a channel in one form. */
export type BookViewQuery = L2BookQuery | z.output<typeof bboSubscription> | { readonly channel: 'allMids' };
