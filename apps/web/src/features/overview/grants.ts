/** A load the page could make, and its price; undefined while that is unknown. */
export interface Ask {
  readonly id: string;
  readonly credits: number | undefined;
}

/** Credits granted without a click, by id. They stay granted, and spent, whether or not the load has responded. */
export type Grants = Readonly<Record<string, number>>;

/**
 * Grants loads without a click, cheapest first, as long as all grants together cost no more than `limit` credits. Returns the
 * same object if nothing is added.
 */
export function granted(before: Grants, asks: readonly Ask[], limit: number): Grants {
  let left = Object.values(before).reduce((rest, credits) => rest - credits, limit);
  const added: Record<string, number> = {};
  const open = asks.flatMap(({ id, credits }) =>
    credits === undefined || credits === 0 || Object.hasOwn(before, id) ? [] : [{ id, credits }],
  );
  for (const { id, credits } of open.toSorted((a, b) => a.credits - b.credits)) {
    if (credits > left) break;
    left -= credits;
    added[id] = credits;
  }
  return Object.keys(added).length === 0 ? before : { ...before, ...added };
}
