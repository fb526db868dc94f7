import { memo } from 'react';
import type { FlowKind, WindowFlow } from '../../../book-worker/panes/past.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { usePane } from '../../../book-worker/use-book.ts';
import { decimalText, wholeText } from '../../../ui/format.ts';
import { GROUP_OF_HINTS } from '../../../ui/group-of-hints.ts';

const COLUMNS: readonly { readonly name: string; readonly kinds: readonly FlowKind[]; readonly hint: string }[] = [
  { name: 'added', kinds: ['added', 'grown'], hint: 'Orders that came, and sizes that grew' },
  { name: 'canceled', kinds: ['canceled'], hint: 'Orders that were taken away' },
  { name: 'shrunk', kinds: ['shrunk'], hint: 'Sizes that shrank without an execution' },
  {
    name: 'executed',
    kinds: ['executed'],
    hint: 'As an order status or the fills of a node say; * inferred from the changes',
  },
  { name: '↻ in', kinds: ['requotedIn'], hint: 'Requoted in: came here under the cloid of an order that left' },
  { name: '↺ out', kinds: ['requotedOut'], hint: 'Requoted out: left for another order under the same cloid' },
];

/** What moved at a row in the shown block, and in the 5 s and 60 s up to it: never netted. */
export const FlowLine = memo(function FlowLine({ level }: { readonly level: LevelRef }) {
  const flow = usePane('flow', { level });
  if (flow === undefined || flow.windows.length === 0) return null;
  const { windows, height, sizeDecimals } = flow;
  const isInferred = windows.some((window) => (window.flow.executed.inferred ?? 0) > 0);
  return (
    <div className="@container shrink-0 border-b border-line">
      <table data-part="flow" data-height={height} className="num w-full text-12 @max-[480px]:text-11">
        <caption className="sr-only">What moved at this level, by window</caption>
        <thead>
          <tr {...GROUP_OF_HINTS} className="font-sans text-11 text-dim">
            <th
              scope="col"
              title="flow: what moved at this price in the block, and in the seconds up to it"
              className="pl-3 text-left font-normal"
            >
              flow
            </th>
            {COLUMNS.map(({ name, hint }) => (
              <th
                key={name}
                scope="col"
                title={`${name}: ${hint}`}
                className="px-1 text-right font-normal whitespace-nowrap last:pr-3 @max-[480px]:px-0.5"
              >
                {name}
                {name === 'executed' && <span className="inline-block w-[1ch] text-left">{isInferred ? '*' : ''}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {windows.map((window) => (
            <tr key={window.spanMs}>
              <Span window={window} />
              {COLUMNS.map(({ name, kinds }) => (
                <td key={name} className="px-1 text-right last:pr-3 @max-[480px]:px-0.5">
                  {kinds
                    // The first kind of a column is shown even when it is zero.
                    .filter((kind) => kind === kinds[0] || window.flow[kind].count > 0)
                    .map((kind) => (
                      <Moved key={kind} window={window} kind={kind} decimals={sizeDecimals} />
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

function Span({ window: { spanMs, isWhole } }: { readonly window: WindowFlow }) {
  return (
    <th
      scope="row"
      className={`pl-3 text-left font-normal whitespace-nowrap ${isWhole ? 'text-dim' : 'text-stale'}`}
      title={isWhole ? undefined : 'Fewer seconds are kept than the span has'}
    >
      {/* A sign takes less room than a word, and the numbers beside it need the space. */}
      {!isWhole && (
        <>
          <span aria-hidden>&lt; </span>
          <span className="sr-only">less than </span>
        </>
      )}
      {spanMs === 0 ? 'block' : `${spanMs / 1_000} s`}
    </th>
  );
}

interface MovedProps {
  readonly window: WindowFlow;
  readonly kind: FlowKind;
  readonly decimals: number;
}

function Moved({ window, kind, decimals }: MovedProps) {
  const { sz, count, inferred = 0 } = window.flow[kind];
  const inferredText = inferred > 0 ? `, ${wholeText(inferred)} of them inferred` : '';
  if (count === 0) return <span className="text-dim">—</span>;
  return (
    <span className="block" title={`${wholeText(count)} ×${inferredText}`}>
      {decimalText(sz, decimals)}
    </span>
  );
}
