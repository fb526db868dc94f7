import type { ReactNode } from 'react';

/** What a pane without content says: one sentence that teaches what comes here, and how. */
export function PaneHint({ children }: { readonly children: ReactNode }) {
  return (
    <p data-part="pane-hint" className="m-auto max-w-80 p-4 text-center text-dim">
      {children}
    </p>
  );
}
