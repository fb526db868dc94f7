import type { Address } from '@l4desk/protocol';
import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import type { TapeResponse, TapeRow } from '../../../book-worker/panes/past.ts';
import type { PanesFrame } from '../../../book-worker/panes.ts';
import { type ListAsk, onceAFrame, useSlowList, useSlowValue } from '../../../book-worker/use-slow-pane.ts';
import { useSize } from '../../../hooks/use-size.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button } from '../../../ui/button.tsx';
import { Facet } from '../../../ui/facet.tsx';
import {
  aligned,
  clockText,
  columnDecimals,
  counted,
  grouped,
  decimalText,
  type TimeZone,
  wholeText,
} from '../../../ui/format.ts';
import { type CellPart, type LiveColumn, numberPart, wordsPart } from '../../../ui/live-grid/live-column.ts';
import { LiveGrid } from '../../../ui/live-grid/live-grid.tsx';
import { useListLimit } from '../../../ui/live-grid/use-list-limit.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import { Select } from '../../../ui/select.tsx';
import { useOwnerParts } from '../../../wallets/owner-parts.ts';
import { useBookPage } from '../book-page.ts';
import { SlowText, useSlowAttributes } from '../live-text.tsx';
import { OtherBlock } from '../other-block.tsx';
import { PaneHint } from '../pane-hint.tsx';
import { ladderSearch, TAPE_KINDS } from '../search.ts';
import { useListHold } from '../use-list-hold.ts';
import { DifferenceView } from './difference-view.tsx';
import { TapeFilter } from './tape-filter.tsx';
import { isListCut, LISTED, TapeRows } from './tape-rows.ts';
import {
  detailText,
  heldText,
  isEmptyLeaving,
  KINDS_OF,
  kindText,
  newerText,
  reasonText,
  TAPE_KIND_TEXTS,
  unseenText,
  whyText,
} from './texts.ts';

/** Characters of `held, 1,057+ newer`. */
const NEWER_ROOM = 18;

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
  const { onLife } = useBookPage();
  const { limit, onSight } = useListLimit(LISTED);
  const frames = useSlowList('tape', useTapeAsk(), limit);
  const content = useSlowValue(frames, contentOf) ?? 'waiting';
  const sizeDecimals = useSlowValue(frames, (frame) => frame.sizeDecimals) ?? 0;
  const rows = useMemo(() => new TapeRows(frames), [frames]);
  const list = useRef<HTMLDivElement>(null);
  const isHeld = useListHold(list);
  useLayoutEffect(() => rows.hold(isHeld), [rows, isHeld]);
  const zone = usePreferences((state) => state.timeZone);
  const box = useRef<HTMLElement>(null);
  const { width } = useSize(box);
  useSlowAttributes('tape', box, ({ tape }) => ({ 'data-height': tape?.height }));
  const ownerOf = useOwnerParts();
  // Not the coin: the last frame of another one is still there when the page has this one.
  const book = useSlowValue(frames, ({ generation }) => generation);
  const sz = numberWidth(useLargest(book, useSlowValue(frames, sizeLength) ?? 0), WIDTHS.sz);
  const px = numberWidth(useLargest(book, useSlowValue(frames, priceLength) ?? 0), WIDTHS.px);
  const priceDecimals = useLargest(book, useSlowValue(frames, decimalsOfPrices) ?? 0);
  const columns = useMemo(
    () => columnsOf({ sizeDecimals, priceDecimals, zone, width, ownerOf, sz, px }),
    [sizeDecimals, priceDecimals, zone, width, ownerOf, sz, px],
  );
  return (
    <section ref={box} aria-label="Tape" data-part="tape" className="flex min-h-0 grow flex-col">
      <div className="flex items-center gap-x-1 border-b border-line py-0.5 pr-3 pl-1.5 whitespace-nowrap">
        <TapeChoices />
        {content !== 'waiting' && (
          <OtherBlock
            pane="tape"
            title={isHeld ? HELD_TITLE : BLOCK_TITLE}
            instead={isHeld ? () => newerText(rows.held()) : undefined}
            room={NEWER_ROOM}
          />
        )}
      </div>
      <div ref={list} data-held={isHeld} className="flex min-h-0 grow flex-col">
        {content === 'gone' || content === 'built' ? (
          <PaneHint>
            {content === 'gone'
              ? 'The shown block is no longer kept. Return to live, or step to a kept block.'
              : 'The book was just built: what each block changes is listed from the next one on.'}
          </PaneHint>
        ) : (
          // The grid stays mounted until the next response arrives: a new one would be blank at first.
          <LiveGrid
            name="Changes, newest first"
            columns={columns}
            source={rows}
            keyOf={keyOf}
            followsRow
            onSight={onSight}
            onOpen={(opened) => {
              if (!('gap' in opened)) onLife(opened.oid);
            }}
            empty={
              <PaneHint>
                {content === 'waiting'
                  ? 'What each block added, cancelled, shrank and executed is listed here.'
                  : 'No such change among the kept blocks.'}
              </PaneHint>
            }
          />
        )}
      </div>
      {content !== 'gone' && content !== 'built' && (
        <p className="flex min-h-5 justify-between gap-2 border-t border-line px-3 py-0.5 text-11 whitespace-nowrap text-dim">
          <SlowText
            pane="tape"
            room={COVERAGE_ROOM}
            read={({ tape }) => (isHeld ? heldText(rows.held() ?? tape) : coverageText(tape))}
          />
          <span title="Concluded from the change: no order status or fill of a node reports it">* inferred</span>
        </p>
      )}
    </section>
  );
}

const changesOf = ({ tape }: PanesFrame) => (tape?.rows ?? NO_ROWS).flatMap((row) => ('gap' in row ? [] : [row]));

/** The decimals of the prices, by which they are aligned. */
const decimalsOfPrices = onceAFrame((frame) => columnDecimals(changesOf(frame).map(({ px }) => px)));

/** Lengths of the longest size and the longest price, each as it is written. */
const sizeLength = onceAFrame((frame) => longest(changesOf(frame).map(({ sz }) => decimalText(sz, frame.sizeDecimals))));
const priceLength = onceAFrame((frame) =>
  longest(changesOf(frame).map(({ px }) => `B ${aligned(px, decimalsOfPrices(frame))}`)),
);

/** What the tape requests, as the page's URL says. */
function useTapeAsk(): ListAsk<'tape'> {
  const { level } = useBookPage();
  const { choices } = usePageSearch(ladderSearch);
  const { kinds = [], side, here, wallet, least } = choices;
  const row = here === '1' ? level : undefined;
  const chosen = kinds.join();
  return useMemo(
    () => ({
      kinds: TAPE_KINDS.filter((kind) => chosen.split(',').includes(kind)).flatMap((kind) => KINDS_OF[kind]),
      side: side ?? null,
      level: row ?? null,
      user: wallet ?? null,
      leastSz: least ?? null,
    }),
    [chosen, side, row, wallet, least],
  );
}

/** What the pane shows: the list; or why there is none, because the shown block is no longer kept or the book was just built. */
function contentOf({ tape, frozen }: PanesFrame): 'list' | 'gone' | 'built' {
  if (tape?.back !== undefined) return 'list';
  return frozen ? 'gone' : 'built';
}

/** Length of `300 changes since block 1,000,000,000`, in characters. */
const COVERAGE_ROOM = 39;

/** How far back the list goes. */
function coverageText(tape: TapeResponse | undefined): string {
  if (tape?.back === undefined) return '';
  const { rows, isCut, back } = tape;
  const more = isListCut(tape) ? ', more when scrolled' : '';
  return isCut
    ? `the newest ${wholeText(rows.length)}${more}`
    : `${counted(rows.length, 'change')} since block ${wholeText(back.height)}`;
}

/** Titles of the block in the pane's header, and of what is there while the rows are held. */
const BLOCK_TITLE = 'The tape is written four times a second';
const HELD_TITLE =
  'Rows keep their places while the pointer is over them, or the keyboard in them, up to 10 s after the last movement or key';

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
      <TapeFilter />
    </>
  );
});

/** Widths in px: of the columns (sizes and prices at least), of the scroll bar beside them, and of a kind and its reason side by side. */
const WIDTHS = { block: 102, what: 92, px: 88, sz: 72, user: 100 } as const;
const SCROLL_BAR = 15;
const KIND_AND_REASON = 156;

interface ColumnChoice {
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly zone: TimeZone;
  /** Width of the pane, px; 0 before it is laid out. */
  readonly width: number;
  readonly ownerOf: (user: Address | null) => readonly CellPart[];
  /** Widths of the sizes and of the prices, px. */
  readonly sz: number;
  readonly px: number;
}

/** A narrow pane leaves out the wallet instead of scrolling sideways. */
function columnsOf(choice: ColumnChoice): readonly LiveColumn<Row>[] {
  const { sizeDecimals, priceDecimals, zone, width, ownerOf, sz, px } = choice;
  const all = Object.values({ ...WIDTHS, sz, px }).reduce((sum, column) => sum + column, SCROLL_BAR);
  const hasWallet = width === 0 || width >= all;
  const isTight = width - all + WIDTHS.what + (hasWallet ? 0 : WIDTHS.user) < KIND_AND_REASON;
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
      width: px,
      align: 'end',
      // The letter tells the sides apart without their colour.
      parts: of(({ px, side }) => {
        const tone = side === 'B' ? 'bid' : 'ask';
        return [numberPart(side, tone, 11), numberPart(aligned(px, priceDecimals), tone)];
      }),
    },
    {
      id: 'sz',
      title: 'size',
      width: sz,
      align: 'end',
      parts: of((row) => [numberPart(isEmptyLeaving(row) ? '—' : decimalText(row.sz, sizeDecimals))]),
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
