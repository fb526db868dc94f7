import { type DecimalString, type Side, z } from '@l4desk/protocol';
import { CENTRINGS } from '../../live/axis.ts';
import type { LevelRef } from '../../live/messages.ts';
import { indexHolding, priceOfIndex, TICK_PATTERN, tickGrid } from '../../live/prices.ts';

const fields = {
  /** Price grouping; the coin's finest when absent. */
  tick: z.string().regex(TICK_PATTERN).optional(),
  /** How the rows follow the market; `auto` when absent. */
  view: z.enum(CENTRINGS).optional(),
  /** The level in the inspector: side and price, `A81308`. */
  level: z
    .string()
    .regex(/^[BA]\d+(?:\.\d+)?$/)
    .optional(),
} as const;

/** What of the book page is in its URL. What is not understood counts as absent, and `invalidParameters` names it. */
export const ladderSearch = z.object({
  tick: fields.tick.catch(undefined),
  view: fields.view.catch(undefined),
  level: fields.level.catch(undefined),
});

export type LadderSearch = z.infer<typeof ladderSearch>;

const NAMES = ['tick', 'view', 'level'] as const satisfies readonly (keyof LadderSearch)[];

/** The parameters of a query string that the page ignores because it does not understand them, as written. */
export function invalidParameters(search: string): readonly string[] {
  const params = new URLSearchParams(search);
  return NAMES.filter((name) => !fields[name].safeParse(params.get(name) ?? undefined).success).map(
    (name) => `${name}=${params.get(name)}`,
  );
}

/** The level of a URL as a row of this tick: a bid's price rounds down, an ask's up. */
export function levelOnTick(level: string | undefined, tick: DecimalString | undefined): LevelRef | undefined {
  const grid = tick === undefined ? undefined : tickGrid(tick);
  if (level === undefined || grid === undefined) return undefined;
  const side: Side = level.startsWith('A') ? 'A' : 'B';
  const index = indexHolding(grid, side, level.slice(1));
  return index === undefined ? undefined : { side, px: priceOfIndex(grid, index), tick: grid.tick };
}

export function writeLevel({ side, px }: Pick<LevelRef, 'side' | 'px'>): string {
  return `${side}${px}`;
}
