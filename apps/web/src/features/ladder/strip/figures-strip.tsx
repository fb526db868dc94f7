import { usePanes } from '../../../book-worker/use-panes.ts';
import { grouped } from '../../../ui/format.ts';

/** Figures of the shown book in one line. */
export function FiguresStrip() {
  const bid = usePanes((frame) => frame.best.bid);
  const ask = usePanes((frame) => frame.best.ask);
  return (
    <dl className="flex items-baseline gap-x-6">
      <Figure name="best bid" value={bid} />
      <Figure name="best ask" value={ask} />
    </dl>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  return (
    <div className="flex items-baseline gap-x-2">
      <dt className="text-dim">{name}</dt>
      <dd className="num">{value === undefined ? '—' : grouped(value)}</dd>
    </div>
  );
}
