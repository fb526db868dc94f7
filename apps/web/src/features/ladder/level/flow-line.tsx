import { memo, useRef } from 'react';
import type { FlowKind, WindowFlow } from '../../../book-worker/panes/past.ts';
import type { LevelRef } from '../../../book-worker/position.ts';
import { usePane } from '../../../book-worker/use-book.ts';
import { useSize } from '../../../hooks/use-size.ts';
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

/** Number of lines of a window: kinds that are never netted are listed below one another. */
function linesOf({ flow }: WindowFlow): number {
  return Math.max(...COLUMNS.map(({ kinds }) => kinds.filter((kind) => isShown(flow, kind, kinds)).length));
}

/** The first kind of a column is shown even when it is zero. */
function isShown(flow: WindowFlow['flow'], kind: FlowKind, kinds: readonly FlowKind[]): boolean {
  return kind === kinds[0] || flow[kind].count > 0;
}

/** A narrower pane has no room for the block beside its columns, px. */
const NARROW_BELOW = 480;

/** What moved at a row in the block, in 5 s and in 60 s up to the shown block: never netted. */
export const FlowLine = memo(function FlowLine({ level }: { readonly level: LevelRef }) {
  const flow = usePane('flow', { level });
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const isNarrow = width > 0 && width < NARROW_BELOW;
  const windows = flow?.windows ?? [];
  if (flow === undefined || windows.length === 0) return <div ref={box} />;
  const isInferred = windows.some((window) => (window.flow.executed.inferred ?? 0) > 0);
  // The columns of a narrow pane have no room for the block: it has a line of its own there.
  const lines = windows.reduce((sum, window) => sum + linesOf(window), isNarrow ? 2 : 1);
  return (
    // A fixed height, so that a change of text does not lay out anything around it.
    <div
      ref={box}
      className="@container relative box-content shrink-0 border-b border-line text-11"
      style={{ height: `${lines}lh` }}
    >
      <div className="absolute inset-0 contain-strict">
        <table data-part="flow" data-height={flow.height} className="num w-full text-12 @max-[480px]:text-11">
          <caption className={isNarrow ? 'pl-3 text-left text-11 text-dim' : 'sr-only'}>
            <span className="sr-only">What moved at this level, by window</span>
            {isNarrow && (
              <>
                {' '}
                <span className="font-sans">up to block </span>
                <FlowBlock height={flow.height} />
              </>
            )}
          </caption>
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
                  {name === 'executed' && (
                    <span className="inline-block w-[1ch] text-left">{isInferred ? '*' : ''}</span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {windows.map((window) => (
              <tr key={window.spanMs}>
                <th
                  scope="row"
                  className="pl-3 text-left font-normal whitespace-nowrap text-dim"
                  title={titleOf(window)}
                >
                  {window.isWhole ? (
                    <Span window={window} height={isNarrow ? undefined : flow.height} />
                  ) : (
                    <span className="text-stale">
                      {/* A sign takes less room than a word, and the numbers beside it need the space. */}
                      <span aria-hidden>&lt; </span>
                      <span className="sr-only">less than </span>
                      <Span window={window} height={isNarrow ? undefined : flow.height} />
                    </span>
                  )}
                </th>
                {COLUMNS.map(({ name, kinds }) => (
                  <td key={name} className="px-1 text-right last:pr-3 @max-[480px]:px-0.5">
                    {kinds
                      .filter((kind) => isShown(window.flow, kind, kinds))
                      .map((kind) => (
                        <Moved key={kind} window={window} kind={kind} decimals={flow.sizeDecimals} />
                      ))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
});

interface SpanProps {
  readonly window: WindowFlow;
  readonly height: number | undefined;
}

/** The block with which all windows end, which may be an older one than the ladder's; below it, the spans. */
function Span({ window: { spanMs }, height }: SpanProps) {
  if (spanMs > 0) return `${spanMs / 1_000} s`;
  return height === undefined ? 'block' : <FlowBlock height={height} />;
}

function FlowBlock({ height }: { readonly height: number | undefined }) {
  return (
    <span data-part="other-block" className="text-11">
      {height !== undefined && wholeText(height)}
    </span>
  );
}

function titleOf({ spanMs, isWhole }: WindowFlow): string | undefined {
  if (!isWhole) return 'Fewer seconds are kept than the span has';
  return spanMs === 0 ? 'The spans below it end with this block; they are read five times a second' : undefined;
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
