import { useMemo } from 'react';
import type { TapeAnswer, TapeRow } from '../../../book-worker/panes/past.ts';
import { useSlowPane } from '../../../book-worker/use-slow-pane.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button } from '../../../ui/button.tsx';
import { Facet } from '../../../ui/facet.tsx';
import { clockText, counted, grouped, secondsText, sizeText, wholeText } from '../../../ui/format.ts';
import { Grid } from '../../../ui/grid/grid.tsx';
import type { GridColumn } from '../../../ui/grid/grid-column.ts';
import { Select } from '../../../ui/select.tsx';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { useBookPage } from '../book-page.ts';
import { PaneHint } from '../pane-hint.tsx';
import { ladderSearch, TAPE_KINDS } from '../search.ts';
import { DifferenceView } from './difference-view.tsx';
import { KINDS_OF, kindText, TAPE_KIND_TEXTS, whyText } from './texts.ts';

/** Rows listed; behind them the filter is the way further back. */
const LISTED = 300;

const SIDES = [
  { value: '', text: 'Both sides' },
  { value: 'B', text: 'Bids' },
  { value: 'A', text: 'Asks' },
] as const;

type Row = TapeAnswer['rows'][number];

const keyOf = ({ id }: Row) => id;

/** What happened to the book, block by block; or what changed between two marked blocks. */
export function TapePane() {
  const { choices } = usePageSearch(ladderSearch);
  return choices.changes === '1' ? <DifferenceView /> : <Tape />;
}

function Tape() {
  const { level, onOrder, onPane } = useBookPage();
  const { choices, change } = usePageSearch(ladderSearch);
  const { kinds = [], side, here } = choices;
  const row = here === '1' ? level : undefined;
  const chosen = kinds.join();
  const ask = useMemo(
    () => ({
      kinds: TAPE_KINDS.filter((kind) => chosen.split(',').includes(kind)).flatMap((kind) => KINDS_OF[kind]),
      side: side ?? null,
      level: row ?? null,
      user: null,
      leastSz: null,
      limit: LISTED,
    }),
    [chosen, side, row],
  );
  const frame = useSlowPane('tape', ask);
  const answer = frame?.tape;
  const sizeDecimals = frame?.sizeDecimals ?? 0;
  const columns = useMemo(() => columnsOf(sizeDecimals), [sizeDecimals]);
  return (
    <section aria-label="Tape" data-part="tape" data-height={answer?.height} className="flex min-h-0 grow flex-col">
      <div className="flex items-center gap-x-1 border-b border-line py-0.5 pr-1 pl-1.5 whitespace-nowrap">
        <Facet
          name="Kind"
          optionsOf={() => TAPE_KINDS.map((value) => ({ value }))}
          textOf={(kind) => TAPE_KIND_TEXTS[kind]}
          chosen={kinds}
          onChange={(next) => change({ kinds: next.length === 0 ? undefined : next })}
        />
        <Select
          name="Side"
          caption=""
          value={side ?? ''}
          options={SIDES}
          onChange={(next) => change({ side: next === '' ? undefined : next })}
        />
        {level !== undefined && (
          <Button
            aria-pressed={row !== undefined}
            onClick={() => change({ here: row === undefined ? '1' : undefined })}
          >
            at <span className="num">{grouped(level.px)}</span>
          </Button>
        )}
        <span
          className="ml-auto text-11 text-dim"
          title="The stream has no trades: what no order status says was concluded from the change"
        >
          * inferred
        </span>
      </div>
      {answer === undefined ? (
        <PaneHint>What each block added, cancelled, shrank and executed is listed here.</PaneHint>
      ) : answer.back === undefined ? (
        <PaneHint>The shown block is no longer among the kept ones. Return to live, or step to a kept block.</PaneHint>
      ) : (
        <>
          <Grid
            name="Changes, newest first"
            columns={columns}
            rows={answer.rows}
            keyOf={keyOf}
            selected={undefined}
            onOpen={(opened) => {
              if ('gap' in opened) return;
              onOrder(opened.oid);
              onPane('order');
            }}
            empty={<PaneHint>No such change among the kept blocks.</PaneHint>}
          />
          <p className="num border-t border-line px-3 py-0.5 text-11 text-dim">
            {answer.isCut
              ? `the newest ${wholeText(answer.rows.length)}`
              : `${counted(answer.rows.length, 'change')} since block ${wholeText(answer.back.height)}`}
          </p>
        </>
      )}
    </section>
  );
}

function columnsOf(sizeDecimals: number): readonly GridColumn<Row>[] {
  const of = (cell: (row: TapeRow) => ReturnType<GridColumn<Row>['cell']>) => (row: Row) =>
    'gap' in row ? '' : cell(row);
  return [
    {
      id: 'block',
      title: 'block',
      // Ten digits with their commas, between the first column's edges.
      width: 104,
      fits: true,
      align: 'end',
      narrow: true,
      cell: (row) => ('gap' in row ? <span className="text-stale">gap</span> : <Block row={row} />),
    },
    {
      id: 'what',
      title: 'what',
      width: 92,
      grow: true,
      narrow: true,
      cell: (row) =>
        'gap' in row ? (
          <span className="text-stale" title={row.gap.reason}>
            {wholeText(row.gap.to.height - row.gap.from.height)} blocks (
            {secondsText(row.gap.to.time - row.gap.from.time)}) unseen
          </span>
        ) : (
          <What row={row} />
        ),
    },
    {
      id: 'px',
      title: 'price',
      width: 74,
      align: 'end',
      narrow: true,
      cell: of(({ side, px }) => <span className={side === 'B' ? 'text-bid' : 'text-ask'}>{grouped(px)}</span>),
    },
    {
      id: 'sz',
      title: 'size',
      width: 72,
      align: 'end',
      narrow: true,
      cell: of(({ sz }) => sizeText(sz, sizeDecimals)),
    },
    { id: 'user', title: 'wallet', width: 118, fits: true, cell: of(({ user }) => <OwnerName user={user} />) },
  ];
}

function Block({ row }: { readonly row: TapeRow }) {
  const zone = usePreferences((state) => state.timeZone);
  return <span title={clockText(row.time, zone)}>{wholeText(row.height)}</span>;
}

function What({ row }: { readonly row: TapeRow }) {
  return (
    <span title={whyText(row)}>
      {kindText(row.kind, row.inferred)}
      {row.reason !== null && row.reason !== 'canceled' && row.reason !== 'filled' && (
        <span className="text-dim"> {row.reason}</span>
      )}
      {row.refill > 0 && <span className="text-dim"> refill {row.refill}</span>}
    </span>
  );
}
