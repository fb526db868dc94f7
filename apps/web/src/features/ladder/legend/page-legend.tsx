import { lazy, Suspense, useState } from 'react';
import { useActions } from '../../../hooks/actions.ts';

const Legend = lazy(() => import('./legend.tsx'));

/** On the book page `?` opens the legend, from which the sheet of keys is one press away. */
export function PageLegend() {
  const [isOpen, setOpen] = useState(false);
  const action = { id: 'legend', label: 'Explain this page', keys: '?', aliases: 'help legend' };
  useActions('Order book', [{ ...action, run: () => setOpen(true) }]);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Legend onClose={() => setOpen(false)} />
    </Suspense>
  );
}
