import { useInsertionEffect, useRef, useState } from 'react';

type Functions = Readonly<Record<string, (...given: never[]) => unknown>>;

/** The same functions for the component's lifetime: a call runs that of the last render. Not to be called while rendering. */
export function useStable<Actions extends Functions>(actions: Actions): Actions {
  const latest = useRef(actions);
  useInsertionEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState(() => {
    const names = Object.keys(actions);
    return Object.fromEntries(names.map((name) => [name, (...given: never[]) => latest.current[name]?.(...given)]));
  });
  return stable as Actions;
}
