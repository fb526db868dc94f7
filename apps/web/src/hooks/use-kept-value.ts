import { z } from '@l4desk/protocol';
import { useEffect } from 'react';
import { accountStore } from '../state/account.ts';

/** A value and the time it was valid at, in ms. */
export interface Dated<T> {
  readonly at: number;
  readonly value: T;
}

/**
 * Makes a hook that returns `fresh` and stores it in this browser for the account under `name`; while `fresh` is undefined, it returns
 * the value stored by an earlier visit.
 */
export function keptValue<T>(name: string, value: z.ZodType<T>) {
  const stored = z.object({ kept: z.object({ at: z.number(), value }) });
  const useStored = accountStore<{ readonly kept: Dated<T> | undefined }>(
    name,
    (state) => ({ kept: stored.safeParse(state).data?.kept }),
    () => ({ kept: undefined }),
  );
  return function useKeptValue(fresh: Dated<T> | undefined): Dated<T> | undefined {
    const kept = useStored((state) => state.kept);
    useEffect(() => {
      if (fresh !== undefined) useStored.setState({ kept: fresh });
    }, [fresh]);
    return fresh ?? kept;
  };
}
