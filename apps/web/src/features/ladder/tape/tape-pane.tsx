import { memo, useRef } from 'react';
import type { ListedRow, TapeData, TapeParams, TapeRow } from '../../../book-worker/panes/past.ts';
import { useBook, useLive, usePane } from '../../../book-worker/use-book.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { Button } from '../../../ui/button.tsx';
import { Facet } from '../../../ui/facet.tsx';
import { counted, grouped, wholeText } from '../../../ui/format.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { Select } from '../../../ui/select.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { useBookPage } from '../book-page.ts';
import { OtherBlock } from '../other-block.tsx';
import { useWantedFocus } from '../pane-focus.ts';
import { PaneHint } from '../pane-hint.tsx';
import { ladderSearch, TAPE_KINDS } from '../search.ts';
import { HELD_TITLE, useListHold } from '../use-list-hold.ts';
import { isBlockRow, useBlockColumns } from './block-columns.tsx';
import { DifferenceView } from './difference-view.tsx';
import { usePrintColumns } from './print-columns.tsx';
import { useTapeColumns } from './tape-columns.tsx';
import { TapeFilter } from './tape-filter.tsx';
import { LISTED, type TapeResult, useHeldTape } from './tape-rows.ts';
import { heldText, isTapeRow, KINDS_OF, newerText, TAPE_KIND_TEXTS, type TapeKind } from './texts.ts';

/** Characters of `held, 300+ newer`. */
const NEWER_ROOM = 16;

const SIDES = [
  { value: '', text: 'Both sides' },
  { value: 'B', text: 'Bids' },
  { value: 'A', text: 'Asks' },
] as const;

/** Prints are named by their taker, who takes from the other side. */
const TAKERS = [
  { value: '', text: 'Both sides' },
  { value: 'A', text: 'Buys' },
  { value: 'B', text: 'Sells' },
] as const;

const LISTS = [
  { value: 'prints', text: 'Prints' },
  { value: 'events', text: 'All events' },
] as const;

const NO_ROWS: readonly ListedRow[] = [];
const NO_KINDS: readonly TapeKind[] = [];

const keyOf = ({ id }: ListedRow) => id;

/** A print is of an order only if it took from no other. */
const isOfOrder = (row: ListedRow): row is TapeRow =>
  isTapeRow(row) && (row.print === undefined || row.print.orders === 1);

const dataOf = (row: ListedRow) => (isOfOrder(row) ? { 'data-oid': row.oid } : {});

/** What happened to the book, block by block; or what changed between two blocks. */
export function TapePane() {
  const { choices } = usePageSearch(ladderSearch);
  return choices.since !== undefined ? <DifferenceView /> : <Tape />;
}

function Tape() {
  const { onLife, playing } = useBookPage();
  const { kinds = NO_KINDS } = usePageSearch(ladderSearch).choices;
  const live = useLive();
  const params = useTapeParams();
  const tape = usePane('tape', params);
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  const content = tape === undefined ? 'waiting' : contentOf(tape);
  const list = useRef<HTMLDivElement>(null);
  const isHeld = useListHold(list);
  const held = useHeldTape(tape, isHeld, playing);
  const { rows = NO_ROWS, height } = held ?? tape ?? {};
  const isPrints = useIsPrints();
  // Rows that keep their places may be single still.
  const isGrouped = rows.some(isBlockRow);
  const ofBlocks = useBlockColumns(tape?.sizeDecimals ?? 0, isPrints ? 'prints' : kinds);
  const ofChanges = useTapeColumns(tape);
  const ofPrints = usePrintColumns(tape, rows);
  const one = isPrints ? 'print' : 'change';
  return (
    <section aria-label="Tape" data-part="tape" data-height={tape?.height} className="flex min-h-0 grow flex-col">
      <div className="flex flex-wrap items-center gap-x-1 border-b border-line py-0.5 pr-3 pl-1.5 whitespace-nowrap max-sm:gap-x-0 max-sm:pr-2 max-sm:pl-1">
        <TapeChoices />
        {tape !== undefined && (
          <OtherBlock
            height={tape.height}
            title={isHeld ? HELD_TITLE : tape.isGrouped ? groupedTitle(one) : BLOCK_TITLE}
            instead={isHeld ? newerText(held) : undefined}
            note={tape.isGrouped ? `by block, ${wholeText(Math.round(tape.rowsPerSecond))}/s` : undefined}
            room={NEWER_ROOM}
          />
        )}
      </div>
      <div ref={list} data-held={isHeld} data-height={height} className="flex min-h-0 grow flex-col">
        {content === 'gone' || content === 'built' ? (
          <PaneHint>
            {content === 'gone'
              ? 'The shown block is no longer kept. Return to live, or step to a kept block.'
              : 'The book was just built: what each block changes is listed from the next one on.'}
          </PaneHint>
        ) : (
          <DataTable
            // Another list is another table; when blocks become its rows, the focus stays in it.
            key={one}
            name={`${isGrouped ? 'Blocks' : isPrints ? 'Prints' : 'Changes'}, newest first`}
            columns={isGrouped ? ofBlocks : isPrints ? ofPrints : ofChanges}
            rows={rows}
            keyOf={keyOf}
            of={`${tape?.generation} ${isGrouped}`}
            dataOf={dataOf}
            followsRow
            onOpen={(opened) => {
              if ('gap' in opened) return;
              if (isTapeRow(opened) && opened.print === undefined) onLife(opened.oid);
              else live.travel({ kind: 'height', height: opened.height });
            }}
            empty={
              <PaneHint>
                {content === 'waiting'
                  ? `What each block ${isPrints ? '' : 'added, canceled, shrank and '}executed is listed here.`
                  : `No ${isFiltered(params) ? 'matching ' : ''}${one} up to the shown block${isRecorded ? ': play the recording, or step forward' : ''}.`}
              </PaneHint>
            }
          />
        )}
      </div>
      {content !== 'gone' && content !== 'built' && (
        <p className="flex min-h-5 justify-between gap-2 border-t border-line px-3 py-0.5 text-11 whitespace-nowrap text-dim">
          <span className="num">{isHeld ? heldText(held ?? tape) : coverageText(tape, isGrouped ? 'block' : one)}</span>
          <span title="Concluded from the change: no order status or fill of a node reports it">* inferred</span>
        </p>
      )}
    </section>
  );
}

/** Whether the tape lists prints; kinds of changes are chosen only for changes. */
function useIsPrints(): boolean {
  const { tape, kinds } = usePageSearch(ladderSearch).choices;
  return tape === undefined && kinds === undefined;
}

/** What the tape requests, as the page's URL says. */
function useTapeParams(): TapeParams {
  const { level } = useBookPage();
  const { choices } = usePageSearch(ladderSearch);
  const { kinds = [], side, here, wallet, least } = choices;
  const prints = useIsPrints();
  const row = here === '1' ? level : undefined;
  return {
    prints,
    kinds: TAPE_KINDS.filter((kind) => kinds.includes(kind)).flatMap((kind) => KINDS_OF[kind]),
    side: side ?? null,
    level: row ?? null,
    user: wallet ?? null,
    leastSz: least ?? null,
    limit: LISTED,
  };
}

const isFiltered = ({ kinds, side, level, user, leastSz }: TapeParams) =>
  kinds.length > 0 || [side, level, user, leastSz].some((filter) => filter !== null);

/** What the pane shows: the list; or why there is none, because the shown block is no longer kept or the book was just built. */
function contentOf({ back, frozen }: TapeResult): 'list' | 'gone' | 'built' {
  if (back !== undefined) return 'list';
  return frozen ? 'gone' : 'built';
}

function coverageText(tape: TapeData | undefined, one: string): string {
  if (tape?.back === undefined) return '';
  const { rows, isCut, back } = tape;
  const listed = rows.filter((row) => !('gap' in row)).length;
  return isCut ? `the newest ${wholeText(listed)}` : `${counted(listed, one)} since block ${wholeText(back.height)}`;
}

const BLOCK_TITLE = 'The tape is written five times a second';

const groupedTitle = (one: string) =>
  `From 20 ${one}s a second on, until no more than 10 come: one line a block. A press on a line, or a pause (P), lists single ${one}s`;

const buttonOf = (filter: HTMLElement) => filter.querySelector('button');

/** The tape's filters. They do not render again when changes arrive. */
const TapeChoices = memo(function TapeChoices() {
  const filter = useRef<HTMLSpanElement>(null);
  useWantedFocus('tape', filter, buttonOf);
  const { level } = useBookPage();
  const { choices, change } = usePageSearch(ladderSearch);
  const { kinds = [], side, here } = choices;
  const isHere = here === '1';
  const isPrints = useIsPrints();
  return (
    <>
      <Segmented
        name="Tape"
        value={isPrints ? 'prints' : 'events'}
        options={LISTS}
        onChange={(next) => change({ tape: next === 'events' ? next : undefined, kinds: undefined })}
      />
      {!isPrints && (
        <Facet
          name="Kind"
          optionsOf={() => TAPE_KINDS.map((value) => ({ value }))}
          textOf={(kind) => TAPE_KIND_TEXTS[kind]}
          chosen={kinds}
          onChange={(next) => change({ kinds: next.length === 0 ? undefined : next, tape: 'events' })}
        />
      )}
      <Select
        name="Side"
        caption=""
        value={side ?? ''}
        options={isPrints ? TAKERS : SIDES}
        onChange={(next) => change({ side: next === '' ? undefined : next })}
      />
      {level !== undefined && (
        <Button aria-pressed={isHere} onClick={() => change({ here: isHere ? undefined : '1' })}>
          at <span className="num">{grouped(level.px)}</span>
        </Button>
      )}
      <span ref={filter} className="contents">
        <TapeFilter />
      </span>
    </>
  );
});
