import { type DecimalString, type Side, z } from '@l4desk/protocol';
import { CENTRINGS } from '../../live/axis.ts';
import type { LevelRef } from '../../live/messages.ts';
import { indexHolding, priceOfIndex, TICK_PATTERN, tickGrid } from '../../live/prices.ts';

const parameter = z.string().optional().catch(undefined);

/** The query string of the book page, as written: a parameter that makes no sense stays until the person changes it. */
export const ladderSearch = z.object({ tick: parameter, view: parameter, level: parameter });

export type LadderSearch = z.infer<typeof ladderSearch>;

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

const choices = z.object({
  tick: fields.tick.catch(undefined),
  view: fields.view.catch(undefined),
  level: fields.level.catch(undefined),
});

/** What the query string asks for; what is not understood counts as absent. */
export type LadderChoices = z.infer<typeof choices>;

export function readChoices(search: LadderSearch): LadderChoices {
  return choices.parse(search);
}

const NAMES = ['tick', 'view', 'level'] as const satisfies readonly (keyof LadderSearch)[];

/** The parameters the page does not understand, as written: `tick=banana`. */
export function invalidParameters(search: LadderSearch): readonly string[] {
  return NAMES.filter((name) => !fields[name].safeParse(search[name]).success).map((name) => `${name}=${search[name]}`);
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
