import { createContext, type Provider, use } from 'react';

/**
 * Creates a context that is always set inside the page: returns its provider and the hook that reads it. The hook throws
 * outside of the provider.
 */
export function requiredContext<T>(name: string): readonly [provider: Provider<T | undefined>, useValue: () => T] {
  const Context = createContext<T | undefined>(undefined);
  const useValue = () => {
    const value = use(Context);
    if (value === undefined) throw new Error(`${name} is read outside of its provider`);
    return value;
  };
  return [Context.Provider, useValue];
}
