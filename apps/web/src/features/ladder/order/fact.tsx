import type { ReactNode } from 'react';

/** A named value in a list of facts. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="py-0.5 whitespace-nowrap text-dim">{name}</dt>
      <dd className="num min-w-0 py-0.5 wrap-anywhere">{children}</dd>
    </>
  );
}
