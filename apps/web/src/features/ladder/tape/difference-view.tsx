import { X } from 'lucide-react';
import { useMemo } from 'react';
import type { DifferenceData } from '../../../book-worker/panes/past.ts';
import { useBook, usePane } from '../../../book-worker/use-book.ts';
import { usePageSearch } from '../../../state/page-search.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { IconButton } from '../../../ui/button.tsx';
import {
  ageText,
  clockText,
  columnDecimals,
  counted,
  decimalText,
  signedText,
  wholeText,
  zoneText,
} from '../../../ui/format.ts';
import { passesFocus } from '../../../ui/pass-focus.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { PaneHint } from '../pane-hint.tsx';
import { ladderSearch } from '../search.ts';
import { FLOW_KINDS, sumText, unseenText } from './texts.ts';

const LISTED = 500;

type Level = DifferenceData['levels'][number];

const keyOf = ({ side, px }: Level) => `${side}${px}`;

/**
 * What changed between a chosen block and the shown one, from the earlier to the later: the differences at the end, and everything
 * that moved in between.
 */
export function DifferenceView() {
  const { choices, change } = usePageSearch(ladderSearch);
  const { since } = choices;
  const response = usePane('difference', since === undefined ? undefined : { since, limit: LISTED });
  const isRecorded = useBook(({ status }) => status?.recorded !== undefined);
  const sizeDecimals = response?.sizeDecimals ?? 0;
  const priceDecimals = columnDecimals(response?.levels.map(({ px }) => px) ?? []);
  const columns = useMemo(() => columnsOf(sizeDecimals, priceDecimals), [sizeDecimals, priceDecimals]);
  return (
    <section
      ref={passesFocus}
      aria-label="What changed between two blocks"
      data-part="difference"
      data-from={response?.from.height}
      data-to={response?.to.height}
      className="flex min-h-0 grow flex-col"
    >
      <div className="flex items-center border-b border-line py-0.5 pr-1 pl-3">
        <h2 className="font-semibold text-strong">Changes</h2>
        <span className="ml-auto">
          <IconButton icon={X} name="Back to the tape" onClick={() => change({ since: undefined })} />
        </span>
      </div>
      {response === undefined ? (
        <PaneHint>
          {isRecorded
            ? 'Of a recording, a later block is read only once it is shown: go to the compared block, then come back.'
            : 'Comparing the blocks …'}
        </PaneHint>
      ) : (
        <>
          <Ends response={response} shown={response.height < (since ?? 0) ? 'from' : 'to'} />
          <Moved response={response} sizeDecimals={sizeDecimals} />
          <DataTable
            name="Levels that differ"
            columns={columns}
            rows={response.levels}
            keyOf={keyOf}
            empty={<PaneHint>The book is the same at both blocks.</PaneHint>}
          />
          <p className="num border-t border-line px-3 py-0.5 text-11 text-dim">
            {counted(response.levelCount, 'level')} and {counted(response.orderCount, 'order')} differ
            {response.levelCount > response.levels.length && `; the first ${wholeText(response.levels.length)} listed`}
          </p>
        </>
      )}
    </section>
  );
}

interface EndsProps {
  readonly response: DifferenceData;
  readonly shown: 'from' | 'to';
}

function Ends({ response, shown }: EndsProps) {
  const zone = usePreferences((state) => state.timeZone);
  const { from, to, blocks, gaps } = response;
  const end = (name: 'from' | 'to', { height, time }: DifferenceData['from']) => (
    <>
      <dt className="text-dim">{name === shown ? `${name} the shown block` : name}</dt>
      <dd className="num">
        {wholeText(height)} · {clockText(time, zone)} {zoneText(zone, time)}
      </dd>
    </>
  );
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-3 py-1 text-12">
        {end('from', from)}
        {end('to', to)}
        <dt className="text-dim">between</dt>
        <dd className="num">
          {counted(blocks, 'block')} with changes, {ageText(to.time - from.time)}
        </dd>
      </dl>
      {gaps.map((gap) => (
        <p key={gap.id} className="px-3 pb-1 text-12 text-stale">
          Gap: {unseenText(gap)}; what moved in it is unknown. {gap.reason}
        </p>
      ))}
    </>
  );
}

function Moved({ response, sizeDecimals }: { readonly response: DifferenceData; readonly sizeDecimals: number }) {
  const moved = FLOW_KINDS.filter((kind) => response.flow[kind].count > 0);
  return (
    <dl className="grid grid-cols-[auto_1fr_auto] gap-x-4 border-t border-line px-3 py-1 text-12">
      {moved.map((kind) => (
        <div key={kind} className="contents">
          <dt>{sumText(kind, response.flow[kind])}</dt>
          <dd className="num text-right">{decimalText(response.flow[kind].sz, sizeDecimals)}</dd>
          <dd className="num text-right text-dim">{counted(response.flow[kind].count, 'change')}</dd>
        </div>
      ))}
    </dl>
  );
}

function columnsOf(sizeDecimals: number, priceDecimals: number): readonly TableColumn<Level>[] {
  return [
    {
      id: 'side',
      title: 'side',
      width: 52,
      copied: ({ side }) => (side === 'B' ? 'bid' : 'ask'),
      cell: ({ side }) => (
        <span className={side === 'B' ? 'text-bid' : 'text-ask'}>{side === 'B' ? 'bid' : 'ask'}</span>
      ),
    },
    { id: 'px', title: 'price', width: 96, align: 'end', grow: true, cell: ({ px }) => decimalText(px, priceDecimals) },
    {
      id: 'sz',
      title: 'size',
      hint: 'At the end more (+) or less (−) than at the start',
      width: 110,
      align: 'end',
      cell: ({ sz }) => signedText(sz, sizeDecimals),
    },
    {
      id: 'orders',
      title: 'orders',
      width: 72,
      align: 'end',
      cell: ({ orders }) => (orders > 0 ? `+${orders}` : orders < 0 ? `−${-orders}` : '0'),
    },
  ];
}
