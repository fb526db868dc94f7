import { createContext, type Provider, use } from 'react';

/** A context that everything inside the page has: its provider, and the hook that reads it. */
export function requiredContext<T>(name: string): readonly [provider: Provider<T | undefined>, useValue: () => T] {
  const Context = createContext<T | undefined>(undefined);
  const useValue = () => {
    const value = use(Context);
    if (value === undefined) throw new Error(`${name} is read outside of its provider`);
    return value;
  };
  return [Context.Provider, useValue];
}
