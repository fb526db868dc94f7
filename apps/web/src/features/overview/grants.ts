/** Something that a page would ask, and what it costs; undefined while that is not known. */
export interface Ask {
  readonly id: string;
  readonly credits: number | undefined;
}

/** What was granted without a click, by id: it stays granted, and spent, however much of it has responded. */
export type Grants = Readonly<Record<string, number>>;

/**
 * Grants asks without a click, the cheapest first, as long as all that was granted costs no more than `limit` credits
 * together. Returns the same grants when nothing is added.
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
