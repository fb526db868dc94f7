import { useEffect, useState } from 'react';
import { keep, readKept } from '../state/kept-values.ts';

/** A value and when it was true, in ms. */
export interface Dated<T> {
  readonly at: number;
  readonly value: T;
}

/**
 * The fresh value, which this browser keeps for the account; while there is none, the one it keeps of an earlier visit. `read`
 * checks what was kept, like anything from outside; it must be stable.
 */
export function useKeptValue<T>(
  name: string,
  read: (kept: unknown) => Dated<T> | undefined,
  fresh: Dated<T> | undefined,
): Dated<T> | undefined {
  const [kept, setKept] = useState<Dated<T>>();
  useEffect(() => {
    let left = false;
    const restore = async () => {
      const found = read(await readKept(name));
      if (!left) setKept(found);
    };
    void restore();
    return () => {
      left = true;
    };
  }, [name, read]);
  useEffect(() => {
    if (fresh !== undefined) void keep(name, fresh);
  }, [name, fresh]);
  return fresh ?? kept;
}
