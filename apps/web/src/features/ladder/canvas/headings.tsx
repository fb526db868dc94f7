import { GROUP_OF_HINTS } from '../../../ui/group-of-hints.ts';
import { COLUMN_HINTS } from '../look.ts';
import type { Column, Columns, SideColumns } from './columns.ts';
import { HEADING } from './paint-lines.ts';

interface HeadingsProps {
  readonly columns: Columns;
  /** The row of the bar with the mid, if it is in view. */
  readonly bar: number | undefined;
  readonly rowHeight: number;
}

/**
 * What the canvas draws besides the rows, as elements without text: the headings have tooltips, and the legend points at all of
 * them. With two sides, those of the asks are above the rows and those of the bids below.
 */
export function Headings({ columns, bar, rowHeight }: HeadingsProps) {
  const { price, asks, bids, layout, width } = columns;
  return (
    <>
      <div
        {...GROUP_OF_HINTS}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for controls
        role="group"
        aria-label="Columns of the ladder"
        className="absolute inset-x-0 top-0"
        style={{ height: HEADING }}
      >
        <HeadingLine price={price} side={asks} />
      </div>
      {layout === 'split' && (
        <div className="absolute inset-x-0 bottom-0" style={{ height: HEADING }}>
          <HeadingLine price={price} side={bids} />
        </div>
      )}
      {asks.lane !== undefined && (
        <Place name="orders" {...asks.lane} top={HEADING + 2 * rowHeight} height={2 * rowHeight} />
      )}
      {bar !== undefined && (
        <>
          <Place name="bar" x={0} width={width - HANDLE} top={HEADING + bar * rowHeight} height={rowHeight} />
          <Place name="handle" x={width - HANDLE} width={HANDLE} top={HEADING + bar * rowHeight} height={rowHeight} />
        </>
      )}
    </>
  );
}

/** The end of the bar, where the handle of a sweep is drawn, px. */
const HANDLE = 28;

function HeadingLine({ price, side }: { readonly price: Column; readonly side: SideColumns }) {
  const { size, count, cumulative, notional, came, withdrawn, lane } = side;
  const flow = came && withdrawn && spanning(came, withdrawn);
  const columns = { price, size, count, cumulative, notional, flow, lane };
  return Object.entries(columns).map(
    ([name, column]) =>
      column !== undefined && (
        <span
          key={name}
          data-heading={name}
          title={COLUMN_HINTS[name as keyof typeof columns]}
          className="absolute inset-y-0"
          style={{ left: column.x, width: column.width }}
        />
      ),
  );
}

function spanning(one: Column, other: Column): Column {
  return { x: Math.min(one.x, other.x), width: one.width + other.width };
}

/** Where something is drawn; the pointer goes through it to the canvas. */
function Place({
  name,
  x,
  width,
  ...place
}: Column & { readonly name: string; readonly top: number; readonly height: number }) {
  return <span data-heading={name} className="pointer-events-none absolute" style={{ ...place, left: x, width }} />;
}
