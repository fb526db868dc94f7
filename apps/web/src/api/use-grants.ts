import { useState } from 'react';
import { useAutoLoadLimit } from './price-rule.tsx';

/** A load the page could make, and its price; undefined while that is unknown. */
interface Ask {
  readonly id: string;
  readonly credits: number | undefined;
}

/** Credits granted without a click, by id. They stay granted, and spent, whether or not the load has responded. */
type Grants = Readonly<Record<string, number>>;

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

/** The loads granted without a click for what is in view; a click also grants one. */
export function useGrants(key: string, asks: readonly Ask[]) {
  const limit = useAutoLoadLimit();
  const [state, setState] = useState<{ readonly key: string; readonly grants: Grants }>({ key, grants: {} });
  const grants = granted(state.key === key ? state.grants : {}, asks, limit);
  if (state.key !== key || grants !== state.grants) setState({ key, grants });
  return {
    has: (id: string) => Object.hasOwn(grants, id),
    press: (id: string) => setState({ key, grants: { ...grants, [id]: 0 } }),
  };
}
