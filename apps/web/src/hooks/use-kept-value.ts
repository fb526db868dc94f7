import { useEffect, useState } from 'react';
import { keep, readKept } from '../state/kept-values.ts';

/** A value and the time it was valid at, in ms. */
export interface Dated<T> {
  readonly at: number;
  readonly value: T;
}

/** What an earlier visit stored under `name`, as `read` understands it; undefined until it is there. `read` must be stable. */
export function useStored<T>(name: string, read: (stored: unknown) => T): T | undefined {
  const [stored, setStored] = useState<T>();
  useEffect(() => {
    let left = false;
    const restore = async () => {
      const found = read(await readKept(name));
      if (!left) setStored(() => found);
    };
    void restore();
    return () => {
      left = true;
    };
  }, [name, read]);
  return stored;
}

/**
 * Returns `fresh` and stores it in this browser for the account; while `fresh` is undefined, returns the value stored by an
 * earlier visit. `read` validates the stored value like any external input; it must be stable.
 */
export function useKeptValue<T>(
  name: string,
  read: (kept: unknown) => Dated<T> | undefined,
  fresh: Dated<T> | undefined,
): Dated<T> | undefined {
  const kept = useStored(name, read);
  useEffect(() => {
    if (fresh !== undefined) void keep(name, fresh);
  }, [name, fresh]);
  return fresh ?? kept;
}
