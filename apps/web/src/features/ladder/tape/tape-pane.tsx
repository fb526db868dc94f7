import type { Address } from '@l4desk/protocol';
import { memo, useMemo, useRef } from 'react';
import type { TapeResponse, TapeRow } from '../../../book-worker/panes/past.ts';
import { useSlowPane } from '../../../book-worker/use-slow-pane.ts';
import { useSize } from '../../../hooks/use-size.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button } from '../../../ui/button.tsx';
import { Facet } from '../../../ui/facet.tsx';
import { clockText, counted, grouped, sizeText, type TimeZone, wholeText } from '../../../ui/format.ts';
import { type CellPart, type LiveColumn, numberPart, wordsPart } from '../../../ui/live-grid/live-column.ts';
import { LiveGrid } from '../../../ui/live-grid/live-grid.tsx';
import { Select } from '../../../ui/select.tsx';
import { useOwnerParts } from '../../../wallets/owner-parts.ts';
import { useBookPage } from '../book-page.ts';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { ladderSearch, TAPE_KINDS } from '../search.ts';
import { DifferenceView } from './difference-view.tsx';
import {
  detailText,
  isEmptyLeaving,
  KINDS_OF,
  kindText,
  reasonText,
  TAPE_KIND_TEXTS,
  unseenText,
  whyText,
} from './texts.ts';

/** Rows listed; use the filter to find older changes. */
const LISTED = 300;

const SIDES = [
  { value: '', text: 'Both sides' },
  { value: 'B', text: 'Bids' },
  { value: 'A', text: 'Asks' },
] as const;

type Row = TapeResponse['rows'][number];

const keyOf = ({ id }: Row) => id;

const NO_ROWS: readonly Row[] = [];

/** What happened to the book, block by block; or what changed between two marked blocks. */
export function TapePane() {
  const { choices } = usePageSearch(ladderSearch);
  return choices.changes === '1' ? <DifferenceView /> : <Tape />;
}

function Tape() {
  const { level, onOrder, onPane } = useBookPage();
  const { choices } = usePageSearch(ladderSearch);
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
  const response = frame?.tape;
  const sizeDecimals = frame?.sizeDecimals ?? 0;
  const zone = usePreferences((state) => state.timeZone);
  const box = useRef<HTMLElement>(null);
  const { width } = useSize(box);
  const ownerOf = useOwnerParts();
  const columns = useMemo(
    () => columnsOf({ sizeDecimals, zone, width, ownerOf }),
    [sizeDecimals, zone, width, ownerOf],
  );
  return (
    <section
      ref={box}
      aria-label="Tape"
      data-part="tape"
      data-height={response?.height}
      className="flex min-h-0 grow flex-col"
    >
      <div className="flex items-center gap-x-1 border-b border-line py-0.5 pr-3 pl-1.5 whitespace-nowrap">
        <TapeChoices />
        {response !== undefined && (
          <OtherBlock height={response.height} title="The tape is written four times a second" />
        )}
        <span
          className="ml-auto text-11 text-dim"
          title="What no order status and no fill of a node says was concluded from the change"
        >
          * inferred
        </span>
      </div>
      {response !== undefined && response.back === undefined ? (
        <PaneHint>
          {frame?.frozen === true
            ? 'The shown block is no longer kept. Return to live, or step to a kept block.'
            : 'The book was just built: what each block changes is listed from the next one on.'}
        </PaneHint>
      ) : (
        <>
          {/* The grid stays mounted until the next response arrives: a new one would be blank at first. */}
          <LiveGrid
            name="Changes, newest first"
            columns={columns}
            rows={response?.rows ?? NO_ROWS}
            keyOf={keyOf}
            height={response?.height}
            isStill={frame?.frozen === true}
            onOpen={(opened) => {
              if ('gap' in opened) return;
              onOrder(opened.oid);
              onPane('order');
            }}
            empty={
              <PaneHint>
                {response === undefined
                  ? 'What each block added, cancelled, shrank and executed is listed here.'
                  : 'No such change among the kept blocks.'}
              </PaneHint>
            }
          />
          <p className="num min-h-5 border-t border-line px-3 py-0.5 text-11 text-dim">
            {response?.back !== undefined &&
              (response.isCut
                ? `the newest ${wholeText(response.rows.length)}`
                : `${counted(response.rows.length, 'change')} since block ${wholeText(response.back.height)}`)}
          </p>
        </>
      )}
    </section>
  );
}

/** The tape's filters. They do not render again when changes arrive. */
const TapeChoices = memo(function TapeChoices() {
  const { level } = useBookPage();
  const { choices, change } = usePageSearch(ladderSearch);
  const { kinds = [], side, here } = choices;
  const isHere = here === '1';
  return (
    <>
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
        <Button aria-pressed={isHere} onClick={() => change({ here: isHere ? undefined : '1' })}>
          at <span className="num">{grouped(level.px)}</span>
        </Button>
      )}
    </>
  );
});

/** Widths in px: of the columns, of the scroll bar beside them, and of a kind and its reason side by side. */
const WIDTHS = { block: 106, what: 92, px: 74, sz: 72, user: 104 } as const;
const SCROLL_BAR = 15;
const KIND_AND_REASON = 156;
const ALL = Object.values(WIDTHS).reduce((sum, width) => sum + width, SCROLL_BAR);

interface ColumnChoice {
  readonly sizeDecimals: number;
  readonly zone: TimeZone;
  /** Width of the pane, px; 0 before it is laid out. */
  readonly width: number;
  readonly ownerOf: (user: Address | null) => readonly CellPart[];
}

/** A narrow pane leaves out the wallet instead of scrolling sideways. */
function columnsOf({ sizeDecimals, zone, width, ownerOf }: ColumnChoice): readonly LiveColumn<Row>[] {
  const hasWallet = width === 0 || width >= ALL;
  const isTight = width - ALL + WIDTHS.what < KIND_AND_REASON;
  const of = (parts: (row: TapeRow) => readonly CellPart[]) => (row: Row) => ('gap' in row ? [] : parts(row));
  return [
    {
      id: 'block',
      title: 'block',
      width: WIDTHS.block,
      align: 'end',
      // Ten digits with commas, in a smaller font than what happened.
      parts: (row) => ['gap' in row ? numberPart('gap', 'stale') : numberPart(wholeText(row.height), 'text-dim', 11)],
      hintOf: (row) => ('gap' in row ? undefined : clockText(row.time, zone)),
    },
    {
      id: 'what',
      title: 'what',
      width: WIDTHS.what,
      grow: true,
      parts: (row) => ('gap' in row ? [wordsPart(unseenText(row.gap), 'stale')] : whatOf(row, isTight)),
      hintOf: (row) => ('gap' in row ? row.gap.reason : whyText(row)),
    },
    {
      id: 'px',
      title: 'price',
      width: WIDTHS.px,
      align: 'end',
      parts: of(({ px, side }) => [numberPart(grouped(px), side === 'B' ? 'bid' : 'ask')]),
    },
    {
      id: 'sz',
      title: 'size',
      width: WIDTHS.sz,
      align: 'end',
      parts: of((row) => [numberPart(isEmptyLeaving(row) ? '—' : sizeText(row.sz, sizeDecimals))]),
    },
    ...(hasWallet
      ? [
          {
            id: 'user',
            title: 'wallet',
            width: WIDTHS.user,
            parts: of(({ user }) => ownerOf(user)),
            hintOf: (row: Row) => ('gap' in row ? undefined : (row.user ?? undefined)),
          },
        ]
      : []),
  ];
}

/** A reason implies that an order was cancelled, so without room for both the kind is reduced to its sign. */
function whatOf(row: TapeRow, isTight: boolean): readonly CellPart[] {
  const reason = reasonText(row.reason);
  const kind = kindText(row.kind, row.inferred);
  const isAlone = isTight && reason !== '' && row.kind === 'cancelled';
  const more = detailText(row);
  if (more === '') return [wordsPart(kind)];
  return [wordsPart(isAlone ? kind.charAt(0) : kind), wordsPart(more, 'text-dim')];
}
