import type { ReactNode } from 'react';

/** The text of an empty pane: one sentence on what it shows and how to get there. */
export function PaneHint({ children }: { readonly children: ReactNode }) {
  return (
    <p data-part="pane-hint" className="m-auto max-w-80 p-4 text-center text-dim">
      {children}
    </p>
  );
}
